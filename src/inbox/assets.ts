import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { buildAssets } from './build-assets';

/** The files that the pages load. Names hold a digest of the content, so a browser may keep them for ever. */
export interface Assets {
  readonly style: string;
  readonly live: string;
  readonly form: string;
  file(name: string): { readonly body: string; readonly type: string } | undefined;
}

/** Files as they are built: `style.css`, `live.js`, `form.js`. */
export const ASSET_NAMES = ['style.css', 'live.js', 'form.js', 'icon.svg'] as const;
export type AssetName = (typeof ASSET_NAMES)[number];

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

let loaded: Promise<Assets> | undefined;

/** From the package as it is built, or made from the source where there is only that. */
export function loadAssets(): Promise<Assets> {
  loaded ??= readAssets();
  return loaded;
}

async function readAssets(): Promise<Assets> {
  const contents = await contentsOf(join(__dirname, 'assets'));
  const names = new Map(ASSET_NAMES.map((name) => [name, namedByDigest(name, contents[name])]));
  const files = new Map(
    ASSET_NAMES.map((name) => [
      name === 'icon.svg' ? name : (names.get(name) ?? name),
      { body: contents[name], type: TYPES[extname(name)] ?? 'application/octet-stream' },
    ]),
  );
  return {
    style: names.get('style.css') ?? '',
    live: names.get('live.js') ?? '',
    form: names.get('form.js') ?? '',
    file: (name) => files.get(name),
  };
}

async function contentsOf(folder: string): Promise<Record<AssetName, string>> {
  if (existsSync(folder)) {
    const read = (name: AssetName): string => readFileSync(join(folder, name), 'utf8');
    return {
      'style.css': read('style.css'),
      'live.js': read('live.js'),
      'form.js': read('form.js'),
      'icon.svg': read('icon.svg'),
    };
  }
  // Only where esbuild is: in this repository.
  return buildAssets();
}

function namedByDigest(name: string, content: string): string {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return name.replace('.', `-${digest}.`);
}
