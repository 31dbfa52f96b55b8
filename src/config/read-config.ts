import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import type { z } from 'zod';
import { errorMessage, HoldpointError } from '../agent/errors';
import type { Config } from './config';
import { configSchema } from './config-schema';
import { UNREAD, type Environment } from './secret';

/** Used when it is there and nothing else is named. */
export const DEFAULT_CONFIG_FILE = 'holdpoint.config.json';

/** Problems that one message names: more are seldom read. */
const MAX_PROBLEMS = 10;

/**
 * The file to use: the one that is named, else HOLDPOINT_CONFIG, else `holdpoint.config.json` if it is there.
 */
export function configPath(named: string | undefined, env: Environment = process.env): string | undefined {
  const path = named ?? (env['HOLDPOINT_CONFIG'] || undefined);
  return path ?? (existsSync(DEFAULT_CONFIG_FILE) ? DEFAULT_CONFIG_FILE : undefined);
}

/** Reads and checks the file. Throws `Holdpoint.Config.Unreadable` or `Holdpoint.Config.Invalid`. */
export async function readConfig(path: string, env: Environment = process.env): Promise<Config> {
  return parseConfig(await readConfigText(path), path, env);
}

/** The file as it stands. Throws `Holdpoint.Config.Unreadable`. */
export async function readConfigText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new HoldpointError(
      'Holdpoint.Config.Unreadable',
      `The configuration ${path} cannot be read (${errorMessage(error)}). Name a file with --config or HOLDPOINT_CONFIG.`,
      { path },
      { cause: error },
    );
  }
}

/** Checks a file's text. Throws `Holdpoint.Config.Invalid`, whose message names each place and shows no value. */
export function parseConfig(text: string, path: string, env: Environment = process.env): Config {
  return parsed(text, path, env);
}

/** The same without a look at the environment: secrets that the file only names are taken for right, and left out. */
export function checkConfig(text: string, path: string): Omit<Config, 'signingKeys' | 'webhooks' | 'oidc'> {
  return parsed(text, path, UNREAD);
}

function parsed(text: string, path: string, env: Environment | typeof UNREAD): Config {
  const result = configSchema(env).safeParse(parseJson(text, path));
  if (result.success) return result.data;
  const problems = result.error.issues.slice(0, MAX_PROBLEMS).map(toProblem);
  throw new HoldpointError(
    'Holdpoint.Config.Invalid',
    `The configuration ${path} is not valid. ${problems.join(' ')}`,
    { path, problems },
  );
}

/** A configuration without a file: no keys, so that every call is refused. */
export function emptyConfig(): Config {
  return configSchema({}).parse({});
}

/** The text as JSON. The parser's own message would show a piece of the file, which holds secrets. */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, line] = /\(line (\d+)/.exec(errorMessage(error)) ?? [];
    throw new HoldpointError(
      'Holdpoint.Config.Invalid',
      `The configuration ${path} is not JSON${line === undefined ? '' : `: see line ${line}`}.`,
      { path },
    );
  }
}

function toProblem({ path, message }: z.core.$ZodIssue): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return place === '' ? message : `\`${place.replace(/^\./, '')}\`: ${message.replace(/\.?$/, '.')}`;
}
