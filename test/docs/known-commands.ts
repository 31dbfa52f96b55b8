import { CommanderError, type Command } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json';
import { buildProgram } from '../../src/cli/program';
import type { CommandLine } from './command-lines';
import { ROOT } from './pages';

/** What is wrong with a command, or undefined. */
export type Check = (words: readonly string[], line: CommandLine) => Promise<string | undefined>;

/** The scripts of the project that `holdpoint init` writes; its test runs them. */
const PROJECT_SCRIPTS = ['dev', 'worker', 'start', 'test', 'types'];
const PACKAGES = [manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })];

/** Commands that a page may name, by their first word. What is not here is refused, so that it is marked or added. */
export const KNOWN: Readonly<Record<string, Check>> = {
  npm: async (words) => checkNpm(words),
  npx: async (words, line) => {
    const [name = '', ...rest] = words.filter((word) => !word.startsWith('--yes'));
    if (name === 'holdpoint') return checkHoldpoint(rest);
    if (name === 'tsx') return checkTsx(rest, line);
    return existsSync(join(ROOT, 'node_modules/.bin', name)) ? undefined : `there is no command ${name}`;
  },
  holdpoint: async (words) => checkHoldpoint(words),
  export: async ([setting = '']) =>
    /^(TEMPORAL|OPENAI|HOLDPOINT)_[A-Z_]+=/.test(setting) ? undefined : `${setting} is no setting of ours`,
  cp: async ([from = '']) => (existsSync(join(ROOT, from)) ? undefined : `there is no file ${from}`),
  cd: async () => undefined,
  echo: async () => undefined,
};

function checkNpm([verb = '', ...rest]: readonly string[]): string | undefined {
  switch (verb) {
    case 'ci':
      return undefined;
    case 'install': {
      const strange = rest.filter((word) => !word.startsWith('-') && !PACKAGES.includes(word));
      return strange.length > 0 ? `${strange.join(', ')} is no package that this project knows` : undefined;
    }
    case 'test':
    case 'start':
      return scriptProblem(verb);
    case 'run':
      return scriptProblem(rest.find((word) => !word.startsWith('-')) ?? '');
    default:
      return `npm ${verb} is not known here`;
  }
}

function scriptProblem(name: string): string | undefined {
  return name in manifest.scripts || PROJECT_SCRIPTS.includes(name)
    ? undefined
    : `there is no script ${name}`;
}

function checkTsx(words: readonly string[], { block }: CommandLine): string | undefined {
  const file = words.find((word) => !word.startsWith('-')) ?? '';
  return existsSync(join(ROOT, file)) || block.text.includes(`file: ${file}`)
    ? undefined
    : `there is no file ${file}`;
}

/** Has the real program read the command line, with nothing done. */
async function checkHoldpoint(words: readonly string[]): Promise<string | undefined> {
  const program = buildProgram();
  let reached = false;
  for (const command of program.commands) idle(command, () => (reached = true));
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    return error instanceof CommanderError && error.exitCode === 0 ? undefined : String(error);
  }
  return reached ? undefined : 'it does nothing';
}

function idle(command: Command, onCall: () => void): void {
  command.action(onCall);
}
