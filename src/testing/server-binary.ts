import { access, constants, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { withFileLock } from '../files/file-lock';
import { cacheDirectory } from './cache-directory';
import { BUILD_NAME, goBuildTemporal } from './go-build';
import type { OnProgress } from './progress';
import { runCommand } from './run-command';
import { downloadWithSdk, findSdkDownload } from './sdk-download';
import { HoldpointError } from '../agent/errors';

/** Older servers refuse an update together with a start, which conversations are made of. */
const OLDEST_SERVER = [1, 28] as const;

const EXECUTABLE = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

export interface BinarySearch {
  readonly onProgress: OnProgress;
  readonly env: NodeJS.ProcessEnv;
}

/** One place a `temporal` executable can come from: its path, or undefined to try the next. */
export type BinarySource = (search: BinarySearch) => Promise<string | undefined>;

/** What is there already, cheapest first. */
export const INSTALLED: readonly BinarySource[] = [binaryOnPath, cachedBinary];
/** What can be fetched, fastest first. */
export const FETCHED: readonly BinarySource[] = [downloadedBinary, builtBinary];

/**
 * Finds a `temporal` executable: on the PATH, in the cache of an earlier run, by the Temporal SDK's own
 * download, or built with Go. Throws `Holdpoint.Server.NotFound`, which says what to install, when there is
 * none.
 */
export async function findServerBinary(
  search: BinarySearch,
  installed: readonly BinarySource[] = INSTALLED,
  fetched: readonly BinarySource[] = FETCHED,
): Promise<string> {
  const present = await firstOf(installed, search);
  if (present !== undefined) return present;
  const lock = join(cacheDirectory(search.env), 'temporal.lock');
  const onWait = (): void =>
    search.onProgress('Waiting for another process that is fetching the Temporal server');
  await mkdir(cacheDirectory(search.env), { recursive: true });
  const found = await withFileLock(
    lock,
    () =>
      // The process that held the lock may just have put it there.
      firstOf([...installed, ...fetched], search),
    onWait,
  );
  if (found !== undefined) return found;
  throw new HoldpointError(
    'Holdpoint.Server.NotFound',
    'Found no Temporal server: none at TEMPORAL_ADDRESS, no `temporal` command (server ' +
      `${OLDEST_SERVER.join('.')} or newer) on the PATH or in ${cacheDirectory(search.env)}, the Temporal SDK ` +
      'could not download one, and Go could not build one. Install the Temporal CLI (brew install temporal, or ' +
      'see docs.temporal.io/cli) or Go 1.24 or newer, or set TEMPORAL_ADDRESS to a server that runs.',
  );
}

async function firstOf(sources: readonly BinarySource[], search: BinarySearch): Promise<string | undefined> {
  for (const source of sources) {
    const path = await source(search);
    if (path !== undefined) return path;
  }
  return undefined;
}

async function binaryOnPath({ env, onProgress }: BinarySearch): Promise<string | undefined> {
  for (const directory of (env.PATH ?? '').split(delimiter)) {
    const path = join(directory, EXECUTABLE);
    if (directory === '' || !(await isExecutable(path))) continue;
    const { output } = await runCommand(path, ['--version'], { env, timeoutMs: 10_000 });
    if (isNewEnough(output)) return path;
    onProgress(
      `Not using ${path}: it says "${output.trim()}", needed is server ${OLDEST_SERVER.join('.')} or newer`,
    );
  }
  return undefined;
}

function isNewEnough(version: string): boolean {
  const [, major, minor] = /Server (\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  return Number(major) === OLDEST_SERVER[0]
    ? Number(minor) >= OLDEST_SERVER[1]
    : Number(major) > OLDEST_SERVER[0];
}

async function cachedBinary({ env }: BinarySearch): Promise<string | undefined> {
  const downloaded = await findSdkDownload(downloadDirectory(env));
  for (const path of [downloaded, builtPath(env)]) {
    if (path !== undefined && (await isExecutable(path))) return path;
  }
  return undefined;
}

async function downloadedBinary({ env, onProgress }: BinarySearch): Promise<string | undefined> {
  return downloadWithSdk('dev-server', downloadDirectory(env), onProgress);
}

async function builtBinary({ env, onProgress }: BinarySearch): Promise<string | undefined> {
  return (await goBuildTemporal(builtPath(env), onProgress, env)) ? builtPath(env) : undefined;
}

function downloadDirectory(env: NodeJS.ProcessEnv): string {
  return join(cacheDirectory(env), 'temporal-cli-sdk');
}

function builtPath(env: NodeJS.ProcessEnv): string {
  return join(cacheDirectory(env), BUILD_NAME, EXECUTABLE);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
