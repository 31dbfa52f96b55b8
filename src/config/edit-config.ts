import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { errorMessage, HoldpointError } from '../agent/errors';
import { isRecord } from '../agent/json';
import { withFileLock } from '../files/file-lock';
import type { ApiKeyEntry } from './config';
import { checkConfig, parseJson, readConfigText } from './read-config';

/** Readable by its owner alone: it may hold secrets. */
const PRIVATE = 0o600;
const SIGNING_KEY_BYTES = 32;

/** The file as it is written, secrets unresolved. */
export type ConfigFile = Readonly<Record<string, unknown>>;

/**
 * Adds a key to the file. What else it says stays as it is. A file that is not there is made, with a signing key, so
 * that links work from the start; its id is then given.
 */
export async function addKey(path: string, entry: ApiKeyEntry): Promise<{ readonly signingKeyId?: string }> {
  const signing = newSigningKey();
  let isNew = false;
  await editConfig(path, (file) => {
    isNew = file === undefined;
    return { ...(file ?? { signingKeys: [signing] }), keys: [...listIn(file, 'keys'), entry] };
  });
  return isNew ? { signingKeyId: signing.id } : {};
}

/** Takes the key with this id out of the file; false when there is none. */
export async function removeKey(path: string, id: string): Promise<boolean> {
  let found = false;
  await editConfig(path, (file) => {
    const keys = listIn(file, 'keys');
    const left = keys.filter((key) => !(isRecord(key) && key['id'] === id));
    found = left.length < keys.length;
    return found ? { ...file, keys: left } : undefined;
  });
  return found;
}

/** Puts a new signing key in front and lets those before it only verify. Gives its id. */
export async function addSigningKey(path: string): Promise<string> {
  const signing = newSigningKey();
  await editConfig(path, (file) => {
    const before = listIn(file, 'signingKeys').map((key) =>
      isRecord(key) ? { ...key, verifyOnly: true } : key,
    );
    return { ...file, signingKeys: [signing, ...before] };
  });
  return signing.id;
}

function newSigningKey() {
  return { id: randomUUID().slice(0, 8), secret: randomBytes(SIGNING_KEY_BYTES).toString('base64') };
}

function listIn(file: ConfigFile | undefined, name: string): readonly unknown[] {
  const list: unknown = file?.[name];
  return Array.isArray(list) ? list : [];
}

/**
 * One edit at a time: of two that read the same version, the second would undo the first. `edit` gives `undefined` where
 * nothing is to change.
 */
export async function editConfig(
  path: string,
  edit: (file: ConfigFile | undefined) => ConfigFile | undefined | Promise<ConfigFile>,
): Promise<void> {
  const target = existsSync(path) ? await realpath(path) : path;
  await orUnwritable(path, async () =>
    withFileLock(`${target}.lock`, async () => {
      const before: unknown = existsSync(path) ? parseJson(await readConfigText(path), path) : undefined;
      const after = await edit(isRecord(before) ? before : undefined);
      if (!after) return;
      const text = `${JSON.stringify(after, undefined, 2)}\n`;
      // A file that was not valid before is not made to look as if somebody had seen to it.
      checkConfig(text, path);
      await replaceFile(target, text);
    }),
  );
}

/** A reader sees the old file or the new one, never half of one. */
async function replaceFile(target: string, text: string): Promise<void> {
  const mode = existsSync(target) ? (await stat(target)).mode & 0o777 : PRIVATE;
  const draft = `${target}.${randomUUID()}.new`;
  try {
    await writeFile(draft, text, { mode, flush: true });
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

async function orUnwritable(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof HoldpointError) throw error;
    throw new HoldpointError(
      'Holdpoint.Config.Unreadable',
      `The configuration ${path} cannot be written (${errorMessage(error)}). Check the folder and its permissions.`,
      { path },
      { cause: error },
    );
  }
}
