import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARY = join(__dirname, '../..');
/** All of ours that the workflow code is made of, or that makes it. */
const SOURCES = ['agent', 'workflows', 'temporal', 'worker'];
/** What it is made of beside, by version. */
const PACKAGES = ['@temporalio/workflow', '@temporalio/common', '@temporalio/worker'];

/** The same as long as the workflow code is: a bundle that was kept under it is still the right one. */
export function bundleKey(): string {
  const hash = createHash('sha256');
  for (const name of PACKAGES) hash.update(readFileSync(require.resolve(`${name}/package.json`)));
  for (const folder of SOURCES)
    for (const name of readdirSync(join(LIBRARY, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (/\.[jt]s$/.test(name)) hash.update(name).update(readFileSync(join(LIBRARY, folder, name)));
  return hash.digest('hex').slice(0, 16);
}
