import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { isRecord } from '../../agent/json';
import { findApiKey, newApiKey } from '../../config/api-key';
import { SCOPES } from '../../config/config';
import { parseConfig, parseJson } from '../../config/read-config';
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
  const before = existsSync(path) ? parseJson(await readFile(path, 'utf8'), path) : {};
  const file = isRecord(before) ? before : {};
  const signingKeys = file['signingKeys'] ?? [{ id: 'dev', secret: randomBytes(32).toString('base64') }];
  const keys: readonly unknown[] = Array.isArray(file['keys']) ? file['keys'] : [];
  const kept = (await readFile(keyPath, 'utf8').catch(() => '')).trim();
  const next = { ...file, publicUrl: url, signingKeys, keys };
  const known = findApiKey(parseConfig(JSON.stringify(next), path).keys, kept, Date.now());
  const made = known ? undefined : newApiKey({ name: 'dev', scopes: SCOPES, roles: [] });
  const text = JSON.stringify({ ...next, keys: made ? [...keys, made.entry] : keys }, undefined, 2);
  await writeFile(path, `${text}\n`, PRIVATE);
  if (made) await writeFile(keyPath, `${made.key}\n`, PRIVATE);
  return { path, key: made?.key ?? kept };
}
