import { LRUCache } from 'lru-cache';
import { jsonSize, type Json } from '../agent/json';
import type { Message } from '../agent/message';
import { EMPTY_PREFIX, messageDigest, prefixDigest } from './digest';

/** A transcript by its content: the digest of its messages in order, and how many there are. */
export interface Prefix {
  readonly digest: string;
  readonly length: number;
}

export const NO_MESSAGES: Prefix = { digest: EMPTY_PREFIX, length: 0 };

export const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;

/** What a key and the cache's own bookkeeping take beside a message's text, as measured. */
const OVERHEAD_BYTES = 200;

type Item =
  | { readonly is: 'message'; readonly message: Message }
  /** A transcript is a chain: its last message, and the transcript before it. */
  | { readonly is: 'prefix'; readonly before: string; readonly last: string }
  | { readonly is: 'hint'; readonly prefix: Prefix }
  | { readonly is: 'value'; readonly value: Json };

/**
 * What this worker knows of transcripts: messages by their digest, transcripts by the digest of their prefix
 * (design, "The transcript travels once"). Everything is named by its content, so
 *
 * 1. a lookup gives exactly what was asked for or nothing: nothing here can be out of date;
 * 2. transcripts that begin alike (retries of an older turn, forks, asks of one conversation) share what they
 *    have in common, and each message is held and counted once;
 * 3. what is evicted is only read again.
 */
export class TranscriptCache {
  private readonly items: LRUCache<string, Item>;

  /** `maxBytes` bounds all that it holds; the least recently used goes first. Default 64 MiB. */
  constructor(maxBytes: number = DEFAULT_CACHE_BYTES) {
    this.items = new LRUCache<string, Item>({ maxSize: Math.max(1, maxBytes), sizeCalculation: sizeOf });
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.items.calculatedSize;
  }

  /** Keeps a message and gives its digest. It is frozen: a hook that changed it would change its name. */
  putMessage(message: Message): string {
    const digest = messageDigest(message);
    if (!this.items.get(`m:${digest}`))
      this.items.set(`m:${digest}`, { is: 'message', message: deepFreeze(message) });
    return digest;
  }

  message(digest: string): Message | undefined {
    const item = this.items.get(`m:${digest}`);
    return item?.is === 'message' ? item.message : undefined;
  }

  /** Keeps the transcript that is `base` and then `messages`, and gives its name. */
  putTranscript(base: Prefix, messages: readonly Message[]): Prefix {
    let { digest, length } = base;
    for (const message of messages) {
      const last = this.putMessage(message);
      const before = digest;
      digest = prefixDigest(before, last);
      length += 1;
      if (!this.items.get(`p:${digest}`)) this.items.set(`p:${digest}`, { is: 'prefix', before, last });
    }
    return { digest, length };
  }

  /** The messages of a transcript; `undefined` when any of them is not here. */
  transcript({ digest, length }: Prefix): readonly Message[] | undefined {
    const messages = new Array<Message>(length);
    let at = digest;
    for (let left = length; left > 0; left -= 1) {
      const item = this.items.get(`p:${at}`);
      if (item?.is !== 'prefix') return undefined;
      const message = this.message(item.last);
      if (!message) return undefined;
      messages[left - 1] = message;
      at = item.before;
    }
    // A digest that does not go with the length ends before or after the beginning.
    return at === EMPTY_PREFIX ? messages : undefined;
  }

  /** Remembers how far this worker has seen a workflow's transcript. A guess, to be checked by digest. */
  putHint(workflowId: string, prefix: Prefix): void {
    this.items.set(`w:${workflowId}`, { is: 'hint', prefix });
  }

  hint(workflowId: string): Prefix | undefined {
    const item = this.items.get(`w:${workflowId}`);
    return item?.is === 'hint' ? item.prefix : undefined;
  }

  /** Keeps what goes with transcripts: a system prompt by its digest, a run's context by its seed. */
  putValue(name: string, value: Json): void {
    this.items.set(`v:${name}`, { is: 'value', value: deepFreeze(value) });
  }

  value(name: string): Json | undefined {
    const item = this.items.get(`v:${name}`);
    return item?.is === 'value' ? item.value : undefined;
  }
}

function sizeOf(item: Item, key: string): number {
  const bytes = OVERHEAD_BYTES + key.length;
  if (item.is === 'message') return bytes + jsonSize(item.message);
  return item.is === 'value' ? bytes + jsonSize(item.value) : bytes;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
