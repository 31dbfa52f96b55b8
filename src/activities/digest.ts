import { createHash } from 'node:crypto';
import { canonicalJson } from '../agent/json';
import type { Message } from '../agent/message';

/** The digest of the transcript without messages. */
export const EMPTY_PREFIX = sha256('');

/** A message's name by its content: key order and the way it travelled do not change it. */
export function messageDigest(message: Message): string {
  return sha256(canonicalJson(message));
}

/** The digest of a transcript one message longer: it covers every message and their order. */
export function prefixDigest(previous: string, digest: string): string {
  return sha256(previous + digest);
}

/** The digest of a transcript that goes on from `previous` by messages of these digests. */
export function extendPrefix(previous: string, digests: readonly string[]): string {
  return digests.reduce(prefixDigest, previous);
}

export function textDigest(text: string): string {
  return sha256(text);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
