import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../../../src/testing/cache-directory';
import { withFileLock } from '../../../src/files/file-lock';
import { runCommand } from '../../../src/testing/run-command';

const VERSION = '22.23.5';

/** A Node that can run the referee, which needs 22: this one, or npm's package of the binary. */
export async function node22(): Promise<string> {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const home = join(cacheDirectory(process.env), `node-${VERSION}`);
  const binary = join(home, 'node_modules', name, 'bin', 'node');
  await mkdir(cacheDirectory(process.env), { recursive: true });
  await withFileLock(`${home}.lock`, async () => {
    const present = await access(binary, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (present) return;
    const install = ['install', '--no-audit', '--no-fund', '--prefix', home, `${name}@${VERSION}`];
    const { failure, output } = await runCommand('npm', install, { env: process.env, timeoutMs: 180_000 });
    if (failure !== undefined) throw new Error(`npm could not install ${name}: ${failure}: ${output}`);
  });
  return binary;
}
