import { LRUCache } from 'lru-cache';
import { isRecord, jsonSize } from '../../agent/json';
import type { ToolCallResult } from '../bound-tool';

/** How a call of a typed tool ended, as it is kept for its retries: JSON. */
export interface KeptOutcome {
  /** Digest of the arguments that it was called with. */
  readonly digest: string;
  readonly result: ToolCallResult;
}

/**
 * Where finished outcomes are kept. `id` is made of server, caller, tool and idempotency key, 47 characters of
 * `A-Za-z0-9_-`; it tells none of them. Outcomes hold what tools gave: keep them as safe as that.
 *
 * A `get` that rejects fails the call, unless the tool is read-only or idempotent: a call must not run twice. After a
 * `set` that rejects the caller has its result all the same, and a retry runs again.
 */
export interface OutcomeStore {
  /** What was set under the id, while its time is not over; undefined when nothing was. */
  get(id: string): Promise<unknown>;
  /** Keeps an outcome for `ttlMs` milliseconds. Resolves once a `get`, also in another process, would find it. */
  set(id: string, outcome: KeptOutcome, ttlMs: number): Promise<void>;
}

/** How much is kept in memory. */
export interface MemoryOutcomesOptions {
  /** Default 1,000. */
  readonly maxOutcomes?: number;
  /** Bytes of all outcomes as JSON; a larger one is not kept. Default 16 MiB. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_OUTCOMES = 1_000;
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/** Keeps outcomes in this process alone. Those that were not asked for the longest go first. */
export function memoryOutcomes({
  maxOutcomes = DEFAULT_MAX_OUTCOMES,
  maxBytes = DEFAULT_MAX_BYTES,
}: MemoryOutcomesOptions = {}): OutcomeStore {
  const kept = new LRUCache<string, KeptOutcome>({
    max: maxOutcomes,
    maxSize: maxBytes,
    sizeCalculation: jsonSize,
  });
  return {
    get: async (id) => kept.get(id),
    async set(id, outcome, ttlMs) {
      kept.set(id, outcome, { ttl: ttlMs });
    },
  };
}

/** An outcome as a store gave it back; undefined where it gave none. Throws for anything else. */
export function readOutcome(kept: unknown): KeptOutcome | undefined {
  if (kept === undefined || kept === null) return undefined;
  const { digest, result } = isRecord(kept) ? kept : {};
  if (typeof digest !== 'string' || !isRecord(result) || !Array.isArray(result['content']))
    throw new Error('The store of outcomes gave what was not put into it.');
  return kept as KeptOutcome;
}
