import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseInstant } from '../agent/instant';
import type { ApiKeyEntry } from './config';

/** `hp_<id>_<secret>`: the prefix lets scanners find a key that leaked, the id finds its entry. */
const FORM = /^hp_([A-Za-z0-9-]{1,64})_[A-Za-z0-9_-]{43}$/;

/** A new key, and the entry that recognises it. The key itself is nowhere kept. */
export function newApiKey(
  entry: Omit<ApiKeyEntry, 'id' | 'hash' | 'createdAt'>,
  now = new Date(),
): { readonly key: string; readonly entry: ApiKeyEntry } {
  const id = randomBytes(8).toString('hex');
  const key = `hp_${id}_${randomBytes(32).toString('base64url')}`;
  return { key, entry: { id, ...entry, hash: hashOf(key).toString('hex'), createdAt: now.toISOString() } };
}

/** The entry that a key belongs to, unless it has expired. Which part of a wrong key is wrong does not show. */
export function findApiKey(keys: readonly ApiKeyEntry[], key: string, now: number): ApiKeyEntry | undefined {
  const id = FORM.exec(key)?.[1];
  if (id === undefined) return undefined;
  const entry = keys.find((one) => one.id === id);
  // 32 random bytes cannot be guessed, so a plain hash keeps them well.
  const matches = timingSafeEqual(hashOf(key), Buffer.from(entry?.hash ?? NO_HASH, 'hex'));
  return entry && matches && !isExpired(entry, now) ? entry : undefined;
}

/** Whether its time is over. */
export function isExpired({ expiresAt }: Pick<ApiKeyEntry, 'expiresAt'>, now: number): boolean {
  const end = expiresAt === undefined ? undefined : parseInstant(expiresAt);
  return end !== undefined && now >= end;
}

const NO_HASH = '0'.repeat(64);

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
