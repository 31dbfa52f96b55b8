import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { usageError } from '../command-error';

const PACKAGE = join(__dirname, '../../..');
const TEMPLATE = join(PACKAGE, 'templates/init');
/** What may be in a folder that counts as empty. */
const HARMLESS = ['.git', '.DS_Store', '.idea', '.vscode'];

/** A package cannot hold a .gitignore, and the template is checked with the package's own settings. */
const RENAMED: Readonly<Record<string, string>> = {
  gitignore: '.gitignore',
  'tsconfig.project.json': 'tsconfig.json',
};

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * Writes a small working project into an empty folder, made where it is missing. Gives the names of its files.
 *
 * Throws `Holdpoint.Command.Usage` for a folder with anything in it: nothing is ever overwritten.
 */
export function writeProject(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const there = readdirSync(folder).filter((name) => !HARMLESS.includes(name));
  if (there.length > 0)
    throw usageError(
      `The folder ${folder} is not empty: it has ${there.slice(0, 3).join(', ')}${there.length > 3 ? ' and more' : ''}.`,
      'Give an empty one, or the name of a new one: holdpoint init my-agents.',
    );
  const files = readdirSync(TEMPLATE).map((name) => {
    const target = RENAMED[name] ?? name;
    copyFileSync(join(TEMPLATE, name), join(folder, target));
    return target;
  });
  writeFileSync(join(folder, 'package.json'), manifest(folder));
  return [...files, 'package.json'].sort();
}

/** The versions that this package was tested with. */
function manifest(folder: string): string {
  const own = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as Manifest;
  const versionOf = (name: string): string =>
    `^${own.dependencies[name] ?? own.devDependencies?.[name] ?? '0'}`;
  const versions = (...names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, versionOf(name)]));
  const project = {
    name: packageName(basename(folder)),
    version: '0.0.0',
    private: true,
    scripts: {
      dev: 'holdpoint dev agents.ts',
      worker: 'holdpoint worker agents.ts',
      start: 'node --import tsx client.ts',
      test: 'node --import tsx --test agents.test.ts',
      types: 'tsc',
    },
    dependencies: { holdpoint: `^${own.version}`, ...versions('zod') },
    devDependencies: versions('@types/node', 'tsx', 'typescript'),
  };
  return `${JSON.stringify(project, null, 2)}\n`;
}

function packageName(folder: string): string {
  const name = folder.toLowerCase().replace(/[^a-z0-9._-]+/g, '-');
  return /^[a-z0-9]/.test(name) && name !== 'holdpoint' ? name : 'agents';
}
