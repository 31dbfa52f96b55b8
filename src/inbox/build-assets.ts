import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_STYLE } from '../page-parts/style-base';
import { CONTENT_STYLE } from '../page-parts/style-content';
import type { AssetName } from './assets';

/** What is built: the files that pages load, and the licences of what is bundled into them. */
export type BuiltAssets = Record<AssetName | 'licences.txt', string>;

/** Bundles the scripts of the pages from their source. Needs esbuild, which only this repository has. */
export async function buildAssets(): Promise<BuiltAssets> {
  const { build, stop } = await import('esbuild');
  const source = join(__dirname, 'browser');
  const bundle = async (entry: string) => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(source, entry)],
      bundle: true,
      write: false,
      metafile: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      // The form library's helpers for its own tests ask for a validator that makes code; no page may load it.
      external: ['@rjsf/validator-ajv8'],
      define: { 'process.env.NODE_ENV': '"production"' },
      legalComments: 'none',
      logLevel: 'error',
      absWorkingDir: __dirname,
    });
    return { text: outputFiles[0]?.text ?? '', inputs: Object.keys(metafile.inputs) };
  };
  const read = (name: string): string => readFileSync(join(source, name), 'utf8');
  const [live, form] = await Promise.all([bundle('live.ts'), bundle('form.ts')]);
  // It is a process of its own, and would outlive a test.
  await stop();
  return {
    'style.css': BASE_STYLE + CONTENT_STYLE + read('style.css'),
    'icon.svg': read('icon.svg'),
    'live.js': live.text,
    'form.js': form.text,
    'licences.txt': licencesOf([...live.inputs, ...form.inputs]),
  };
}

/** The licence of each package that files come from, as most licences ask of whoever passes the code on. */
function licencesOf(files: readonly string[]): string {
  const folders = files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const path = join(__dirname, folder);
    const licence = readdirSync(path).find((name) => /^licen[cs]e/i.test(name));
    const name = folder.replace(/^.*node_modules\//, '');
    return `${name}\n\n${licence === undefined ? declared(path) : readFileSync(join(path, licence), 'utf8').trim()}`;
  });
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** A package without the text names its licence. */
function declared(path: string): string {
  const { license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { license?: string };
  return `Licence: ${license ?? 'not stated'}`;
}

/** `tsx src/inbox/build-assets.ts <folder>`, part of `npm run build`. */
async function main(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(await buildAssets()))
    writeFileSync(join(folder, name), content);
}

const [, script, folder] = process.argv;
if (folder !== undefined && script?.endsWith('build-assets.ts')) void main(folder);
