import { join } from 'node:path';
import { npmPackage } from '../../support/npm-package';

const VERSION = '22.23.5';

/** A Node that can run the referee, which needs 22: this one, or npm's package of the binary. */
export async function node22(): Promise<string> {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  return join(await npmPackage(`node-${process.platform}-${process.arch}`, VERSION), 'bin', 'node');
}
