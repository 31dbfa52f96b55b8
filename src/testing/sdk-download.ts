import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../agent/errors';
import type { OnProgress } from './progress';
import { runCommand } from './run-command';

/** What the Temporal SDK can download: the command line tool, or the time-skipping test server. */
export type SdkDownload = 'dev-server' | 'time-skipping';

/** No byte for this long means that the download is refused or the network swallows it. */
const IDLE_MS = 20_000;
const TOTAL_MS = 300_000;
const WATCH_MS = 1_000;

const STARTS_ONCE = `
const { TestWorkflowEnvironment } = require(process.argv[1]);
const server = { executable: { type: 'cached-download', downloadDir: process.argv[3], ttl: '3650d' } };
const create = process.argv[2] === 'dev-server' ? 'createLocal' : 'createTimeSkipping';
TestWorkflowEnvironment[create]({ server })
  .then((environment) => environment.teardown())
  .then(() => process.exit(0), (error) => { console.error(error.message); process.exit(1); });
`;

/** The file that an earlier download left in `directory`, if any. */
export async function findSdkDownload(directory: string): Promise<string | undefined> {
  const names = await readdir(directory).catch((): string[] => []);
  const name = names.find((entry) => /^temporal-.*sdk-typescript-[\d.]+(\.exe)?$/.test(entry));
  return name === undefined ? undefined : join(directory, name);
}

/**
 * Lets the Temporal SDK download a server into `directory` and returns the executable's path, or undefined,
 * with the reason as progress, where the download is refused.
 *
 * The SDK only downloads as a part of starting, blocks until it is done and takes the process's one Runtime;
 * so it runs in a child process, which can be given up on.
 */
export async function downloadWithSdk(
  kind: SdkDownload,
  directory: string,
  onProgress: OnProgress,
): Promise<string | undefined> {
  onProgress(`Asking the Temporal SDK to download its ${kind} executable`);
  try {
    await mkdir(directory, { recursive: true });
  } catch (error) {
    onProgress(`The download did not work: ${errorMessage(error)}`);
    return undefined;
  }

  const idle = new AbortController();
  let size = -1;
  let changedAt = Date.now();
  const watch = setInterval(() => {
    void directorySize(directory).then((now) => {
      if (now !== size) changedAt = Date.now();
      size = now;
      if (Date.now() - changedAt > IDLE_MS) idle.abort(`received nothing for ${IDLE_MS} ms`);
    });
  }, WATCH_MS);
  const testing = require.resolve('@temporalio/testing');
  const { failure, output } = await runCommand(
    process.execPath,
    ['-e', STARTS_ONCE, testing, kind, directory],
    { timeoutMs: TOTAL_MS, signal: idle.signal },
  ).finally(() => clearInterval(watch));

  if (failure === undefined) return findSdkDownload(directory);
  onProgress(`The download did not work: ${output.split('\n').at(-1) || failure}`);
  return undefined;
}

async function directorySize(directory: string): Promise<number> {
  const names = await readdir(directory).catch((): string[] => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(directory, name)).then(
        (file) => file.size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, each) => sum + each, 0);
}
