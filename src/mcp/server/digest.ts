import { createHash } from 'node:crypto';

/** The SHA-256 of a text, 43 characters of `A-Za-z0-9_-`. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
