import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '../../src/files/file-lock';
import { cacheDirectory } from '../../src/testing/cache-directory';
import { runCommand } from '../../src/testing/run-command';

const INSTALL_TIMEOUT_MS = 5 * 60_000;

/**
 * The folder of a published package that is too large to be a dependency of the tests, installed into the cache the
 * first time.
 */
export async function npmPackage(name: string, version: string): Promise<string> {
  const cache = cacheDirectory(process.env);
  const home = join(cache, `${name.replaceAll('/', '+')}-${version}`);
  await mkdir(cache, { recursive: true });
  await withFileLock(`${home}.lock`, async () => {
    if (await exists(home)) return;
    const installing = `${home}-installing`;
    await rm(installing, { recursive: true, force: true });
    const args = ['install', '--no-audit', '--no-fund', '--prefix', installing, `${name}@${version}`];
    const { failure, output } = await runCommand('npm', args, {
      env: process.env,
      timeoutMs: INSTALL_TIMEOUT_MS,
    });
    if (failure !== undefined) throw new Error(`npm could not install ${name}: ${failure}: ${output}`);
    // Put in place as a whole, so that nobody finds half of it.
    await rename(installing, home);
  });
  return join(home, 'node_modules', name);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
