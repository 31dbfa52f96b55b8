import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtPackage } from './built-package';

/** A user's project with `holdpoint` among its packages. */
export interface Project {
  readonly folder: string;
  write(name: string, content: string): void;
  remove(): void;
}

export function newProject(type: 'module' | 'commonjs', files: Readonly<Record<string, string>>): Project {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-project-'));
  const write = (name: string, content: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  write('package.json', JSON.stringify({ name: 'project', type }));
  for (const [name, content] of Object.entries(files)) write(name, content);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(builtPackage(), join(folder, 'node_modules/holdpoint'));
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
