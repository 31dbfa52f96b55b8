import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { findApiKey, newApiKey } from '../../config/api-key';
import { SCOPES } from '../../config/config';
import { editConfig } from '../../config/edit-config';
import { parseConfig } from '../../config/read-config';
import type { DevFolder } from './folder';

/** Readable by its owner alone. */
const PRIVATE = { mode: 0o600 };

/** What `dev` serves the API and the inbox with. */
export interface DevConfig {
  readonly path: string;
  /** For the inbox and the API. Kept beside the configuration: this is a machine for development. */
  readonly key: string;
}

/**
 * The configuration of this folder, made where there is none; what somebody has added to it stays. `url` is where it is
 * served this time.
 */
export async function openDevConfig(
  { config: path, key: keyPath }: DevFolder,
  url: string,
): Promise<DevConfig> {
  let key = (await readFile(keyPath, 'utf8').catch(() => '')).trim();
  await editConfig(path, async (file = {}) => {
    const signingKeys = file['signingKeys'] ?? [{ id: 'dev', secret: randomBytes(32).toString('base64') }];
    const keys: readonly unknown[] = Array.isArray(file['keys']) ? file['keys'] : [];
    const next = { ...file, publicUrl: url, signingKeys, keys };
    if (findApiKey(parseConfig(JSON.stringify(next), path).keys, key, Date.now())) return next;
    const made = newApiKey({ name: 'dev', scopes: SCOPES, roles: [] });
    // Before its entry: one that nobody was told would stay in the file.
    await writeFile(keyPath, `${made.key}\n`, PRIVATE);
    key = made.key;
    return { ...next, keys: [...keys, made.entry] };
  });
  return { path, key };
}
