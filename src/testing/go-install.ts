import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { spokenDuration, type OnProgress } from './progress';
import { runCommand } from './run-command';

/** The newest version of the Temporal command line tool that `go install` accepts: server 1.29.1. */
export const GO_INSTALL_VERSION = '1.5.1';

const MODULE = `github.com/temporalio/cli/cmd/temporal@v${GO_INSTALL_VERSION}`;
const BUILD_TIMEOUT_MS = 45 * 60_000;
const REPORT_EVERY_MS = 15_000;

/**
 * Builds the Temporal command line tool with Go and puts it at `target`. Returns false, with the reason as
 * progress, when there is no Go or the build fails. Takes about ten minutes of CPU time the first time.
 */
export async function goInstallTemporal(
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
  onProgress(`Building the Temporal server with Go, once; this takes several minutes (${MODULE})`);
  const report = setInterval(() => {
    const passed = spokenDuration(Date.now() - startedAt);
    onProgress(`Building the Temporal server: ${packages} packages compiled after ${passed}`);
  }, REPORT_EVERY_MS);
  try {
    const { failure, output } = await runCommand('go', ['install', '-v', MODULE], {
      env: { ...env, GOBIN: building },
      timeoutMs: BUILD_TIMEOUT_MS,
      onLine: (line) => {
        if (!line.startsWith('go: ')) packages += 1;
      },
    });
    if (failure !== undefined) {
      onProgress(`go install ${failure}: ${output}`);
      return false;
    }
    await rename(join(building, process.platform === 'win32' ? 'temporal.exe' : 'temporal'), target);
    onProgress(
      `Built the Temporal server in ${spokenDuration(Date.now() - startedAt)}; it is kept in ${target}`,
    );
    return true;
  } finally {
    clearInterval(report);
    await rm(building, { recursive: true, force: true });
  }
}
