import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { RunSnapshot } from '../agent/wire';
import type { TranslateTarget } from '../translate';
import type { ClientLogger } from './absent-worker';
import type { Scope } from './ids';
import type { TailPosition } from './history-tail';
import type { SharedLooks } from './shared-looks';
import type { UpdateTurns } from './update-turns';

/** What every operation of one client shares. */
export interface ClientContext {
  readonly temporal: Client;
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly searchAttributes: 'full' | 'none';
  /** Absent: every run, by its id as it is inside. */
  readonly scope?: Scope;
  readonly model?: TranslateTarget;
  readonly logger: ClientLogger;
  /** Task queues that a warning has named already. */
  readonly warned: Set<string>;
  /** Shared by all that send updates over this connection. */
  readonly turns: UpdateTurns;
  readonly looks: SharedLooks<{ readonly value: RunSnapshot | null } | undefined>;
  /** Where earlier waits left off, by execution: the next one does not read the history again. */
  readonly tails: LRUCache<string, TailPosition>;
  /** Refused attempts that were noted on their run's record a moment ago. */
  readonly noted: LRUCache<string, true>;
}

/** Each position is a token of some hundred bytes. */
const MAX_TAILS = 1_000;

/** Each note is an event of the run's history: somebody who tries again and again must not fill it. */
const NOTED_FOR_MS = 60_000;
const MAX_NOTED = 10_000;

export function nothingNoted(): LRUCache<string, true> {
  return new LRUCache({ max: MAX_NOTED, ttl: NOTED_FOR_MS });
}

export function emptyTails(): LRUCache<string, TailPosition> {
  return new LRUCache({ max: MAX_TAILS });
}
