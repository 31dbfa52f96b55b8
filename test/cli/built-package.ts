import { transformFileSync } from '@swc/core';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** Where tools keep what they can make again; its modules find the dependencies above it. */
const TSX = join(ROOT, 'node_modules/.bin/tsx');
/** Scripts of pages: bundled, not compiled one by one. */
const BROWSER = 'inbox/browser';
const CACHE = join(ROOT, 'node_modules/.cache/holdpoint');

/**
 * A folder with the package as it is published, `package.json`, `lib/` and `templates/`, built from the sources as they are.
 * It is kept under the digest of the sources: the first test file that asks for it waits a second or two.
 */
export function builtPackage(): string {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith(BROWSER))
    .sort();
  const scripts = readdirSync(join(ROOT, 'src', BROWSER)).sort();
  const templates = readdirSync(join(ROOT, 'templates/init')).sort();
  const files = [
    ...sources.map((name) => `src/${name}`),
    ...scripts.map((name) => `src/${BROWSER}/${name}`),
    ...templates.map((name) => `templates/init/${name}`),
  ];
  const folder = join(CACHE, `package-${digestOf(files)}`);
  if (existsSync(folder)) return folder;
  const own = `${folder}.${process.pid}`;
  for (const name of sources) {
    const target = join(own, 'lib', name.replace(/\.tsx?$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, compiled(join(ROOT, 'src', name)));
  }
  execFileSync(TSX, [join(ROOT, 'src/inbox/build-assets.ts'), join(own, 'lib/inbox/assets')]);
  copyFileSync(join(ROOT, 'package.json'), join(own, 'package.json'));
  cpSync(join(ROOT, 'templates'), join(own, 'templates'), { recursive: true });
  try {
    renameSync(own, folder);
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** What the compiler of the real build makes: dynamic imports stay, everything else becomes `require`. */
function compiled(path: string): string {
  return transformFileSync(path, {
    swcrc: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', tsx: path.endsWith('.tsx') },
      transform: { react: { runtime: 'automatic', importSource: 'hono/jsx' } },
    },
    // Named exports that ES modules can see, as the compiler's are.
    module: { type: 'commonjs', ignoreDynamic: true, exportInteropAnnotation: true },
  }).code;
}

function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package.json')));
  for (const name of files) hash.update(name).update(readFileSync(join(ROOT, name)));
  return hash.digest('hex').slice(0, 16);
}
