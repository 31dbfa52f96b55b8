import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflows } from '../../src/worker/bundle';

const ROOT = join(__dirname, '../..');
/** Where tools keep what they can make again; `npm ci` empties it. */
const CACHE = join(ROOT, 'node_modules/.cache/holdpoint');
/** All that the bundle is made of, and what makes it. */
const SOURCES = ['src/agent', 'src/workflows', 'src/temporal', 'src/worker', 'package-lock.json'];

/**
 * The production bundle for `createWorker({ workflowBundle })`. Bundling takes seconds and every test file has
 * modules of its own, so the bundle is kept in a file named by the digest of its sources.
 */
export async function workflowBundle(): Promise<{ readonly codePath: string }> {
  const codePath = join(CACHE, `workflow-bundle-${digestOfSources()}.js`);
  if (!existsSync(codePath)) {
    const { code } = await bundleWorkflows();
    // Another test file may be making the same one.
    mkdirSync(CACHE, { recursive: true });
    const own = `${codePath}.${process.pid}`;
    writeFileSync(own, code);
    renameSync(own, codePath);
  }
  return { codePath };
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesIn(join(ROOT, source))))
    hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}
