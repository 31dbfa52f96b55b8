import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { errorMessage, HoldpointError } from '../agent/errors';
import { isRecord } from '../agent/json';
import type { ApiKeyEntry } from './config';
import { parseConfig, parseJson, readConfigText } from './read-config';
import type { Environment } from './secret';

/** Readable by its owner alone: it may hold secrets. */
const PRIVATE = 0o600;

/** Adds a key to the file, which is made when it is not there. What else it says stays as it is. */
export async function addKey(path: string, entry: ApiKeyEntry, env?: Environment): Promise<void> {
  await editKeys(path, env, (keys) => [...keys, entry]);
}

/** Takes the key with this id out of the file; false when there is none. */
export async function removeKey(path: string, id: string, env?: Environment): Promise<boolean> {
  let found = false;
  await editKeys(path, env, (keys) =>
    keys.filter((key) => {
      const is = isRecord(key) && key['id'] === id;
      found ||= is;
      return !is;
    }),
  );
  return found;
}

async function editKeys(
  path: string,
  env: Environment = process.env,
  edit: (keys: readonly unknown[]) => readonly unknown[],
): Promise<void> {
  const before: unknown = existsSync(path) ? parseJson(await readConfigText(path), path) : {};
  const file = isRecord(before) ? before : {};
  const keys: unknown = file['keys'];
  const text = `${JSON.stringify({ ...file, keys: edit(Array.isArray(keys) ? keys : []) }, undefined, 2)}\n`;
  // A file that was not valid before is not made to look as if somebody had seen to it.
  parseConfig(text, path, env);
  await replaceFile(path, text);
}

/** A reader sees the old file or the new one, never half of one. */
async function replaceFile(path: string, text: string): Promise<void> {
  try {
    const target = existsSync(path) ? await realpath(path) : path;
    const mode = existsSync(target) ? (await stat(target)).mode & 0o777 : PRIVATE;
    const draft = `${target}.${randomUUID()}.new`;
    try {
      await writeFile(draft, text, { mode, flush: true });
      await rename(draft, target);
    } finally {
      await rm(draft, { force: true });
    }
  } catch (error) {
    throw new HoldpointError(
      'Holdpoint.Config.Unreadable',
      `The configuration ${path} cannot be written (${errorMessage(error)}). Check the folder and its permissions.`,
      { path },
      { cause: error },
    );
  }
}
