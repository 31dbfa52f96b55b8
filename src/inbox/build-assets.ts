import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssetName } from './assets';

/** Bundles the scripts of the pages from their source. Needs esbuild, which only this repository has. */
export async function buildAssets(): Promise<Record<AssetName, string>> {
  const { build } = await import('esbuild');
  const source = join(__dirname, 'browser');
  const bundle = async (entry: string): Promise<string> => {
    const { outputFiles } = await build({
      entryPoints: [join(source, entry)],
      bundle: true,
      write: false,
      minify: true,
      format: 'esm',
      target: 'es2022',
      // The form library's helpers for its own tests ask for a validator that makes code; no page may load it.
      external: ['@rjsf/validator-ajv8'],
      define: { 'process.env.NODE_ENV': '"production"' },
      legalComments: 'none',
      logLevel: 'error',
    });
    return outputFiles[0]?.text ?? '';
  };
  const read = (name: string): string => readFileSync(join(source, name), 'utf8');
  const [live, form] = await Promise.all([bundle('live.ts'), bundle('form.ts')]);
  return { 'style.css': read('style.css'), 'live.js': live, 'form.js': form, 'icon.svg': read('icon.svg') };
}

/** `tsx src/inbox/build-assets.ts <folder>`, part of `npm run build`. */
async function main(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(await buildAssets()))
    writeFileSync(join(folder, name), content);
}

const [, script, folder] = process.argv;
if (folder !== undefined && script?.endsWith('build-assets.ts')) void main(folder);
