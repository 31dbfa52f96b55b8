import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { testServer } from '../support/test-server';
import { builtPackage } from './built-package';

/** What a command printed and how it ended. */
export interface CommandRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandSurroundings {
  /** Added to an environment without what would change the command: other servers, other models, colours. */
  readonly env?: NodeJS.ProcessEnv;
  /** All of standard input; default: none. */
  readonly input?: string;
  readonly cwd?: string;
}

/** Path of the command's program, for `node`. */
export function program(): string {
  return join(builtPackage(), 'lib/cli/main.js');
}

export function commandEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const foreign = /^(OPENAI|TEMPORAL|HOLDPOINT|TMUX|npm_|NODE_ENV|NODE_OPTIONS|NO_COLOR|JEST)/;
  const names = Object.keys(process.env).filter((name) => !foreign.test(name));
  return { ...Object.fromEntries(names.map((name) => [name, process.env[name]])), ...more };
}

/** Runs `holdpoint` as a shell would, against the test run's server. */
export async function holdpoint(
  args: readonly string[],
  { env = { TEMPORAL_ADDRESS: testServer().address }, input = '', cwd }: CommandSurroundings = {},
): Promise<CommandRun> {
  const child = spawn(process.execPath, [program(), ...args], {
    env: commandEnvironment(env),
    ...(cwd !== undefined && { cwd }),
  });
  const ended = once(child, 'close');
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, stdout, stderr };
}

/** The one JSON document that a command printed. */
export function documentOf({ stdout }: CommandRun): unknown {
  expect(stdout.endsWith('\n')).toBe(true);
  return JSON.parse(stdout);
}
