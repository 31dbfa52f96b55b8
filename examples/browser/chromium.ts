import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser at `CHROMIUM_PATH`, or one on the PATH; undefined where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env['CHROMIUM_PATH']) return env['CHROMIUM_PATH'];
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}
