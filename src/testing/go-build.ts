import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { spokenDuration, type OnProgress } from './progress';
import { runCommand } from './run-command';

/** The newest version of the Temporal command line tool that builds without its repository: server 1.29.1. */
export const BUILT_VERSION = '1.5.1';
/**
 * The SQLite driver that later Temporal servers use, with the libc that it needs. With the driver of its own
 * time (1.34.1), one query that is cancelled as its first row arrives makes every later one fail with
 * "interrupted (9)", for as long as the server lives; drivers up to 1.50 lose the database in memory instead.
 */
const SQLITE_VERSION = '1.51.0';
const LIBC_VERSION = '1.72.3';
/** Names what is built, so that a cache never gives another build for it. */
export const BUILD_NAME = `temporal-cli-${BUILT_VERSION}-sqlite-${SQLITE_VERSION}`;

const CLI = 'github.com/temporalio/cli';
const GO_MODULE = `module temporal

go 1.25.0

require (
	${CLI} v${BUILT_VERSION}
	modernc.org/libc v${LIBC_VERSION}
	modernc.org/sqlite v${SQLITE_VERSION}
)
`;
const BUILD_TIMEOUT_MS = 45 * 60_000;
const REPORT_EVERY_MS = 15_000;

/**
 * Builds the Temporal command line tool with Go and puts it at `target`. Returns false, with the reason as
 * progress, when there is no Go or the build fails. Takes about ten minutes of CPU time the first time.
 */
export async function goBuildTemporal(
  target: string,
  onProgress: OnProgress,
  env: NodeJS.ProcessEnv = process.env,
): Promise<boolean> {
  const go = await runCommand('go', ['version'], { env, timeoutMs: 10_000 });
  if (go.failure !== undefined) {
    onProgress(`No Go to build the Temporal server with: ${go.failure}`);
    return false;
  }
  await mkdir(dirname(target), { recursive: true });
  // Built beside its place and then moved there, so that nobody ever runs half a binary.
  const building = await mkdtemp(`${target}-building-`);
  const startedAt = Date.now();
  let packages = 0;
  onProgress(
    `Building the Temporal server with Go, once; this takes several minutes (${CLI}@v${BUILT_VERSION})`,
  );
  const report = setInterval(() => {
    const passed = spokenDuration(Date.now() - startedAt);
    onProgress(`Building the Temporal server: ${packages} packages compiled after ${passed}`);
  }, REPORT_EVERY_MS);
  const executable = join(building, process.platform === 'win32' ? 'temporal.exe' : 'temporal');
  try {
    await writeFile(join(building, 'go.mod'), GO_MODULE);
    const build = ['build', '-C', building, '-mod=mod', '-v', '-o', executable, `${CLI}/cmd/temporal`];
    const { failure, output } = await runCommand('go', build, {
      // A workspace around the cache would decide the versions.
      env: { ...env, GOWORK: 'off' },
      timeoutMs: BUILD_TIMEOUT_MS,
      onLine: (line) => {
        if (!line.startsWith('go: ')) packages += 1;
      },
    });
    if (failure !== undefined) {
      onProgress(`go build ${failure}: ${output}`);
      return false;
    }
    await rename(executable, target);
    onProgress(
      `Built the Temporal server in ${spokenDuration(Date.now() - startedAt)}; it is kept in ${target}`,
    );
    return true;
  } finally {
    clearInterval(report);
    await rm(building, { recursive: true, force: true });
  }
}
