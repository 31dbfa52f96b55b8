import { createHash } from 'node:crypto';

/** A short name of a value, so that a page that reads on can tell whether there is anything new. */
export function versionOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
