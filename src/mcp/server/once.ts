/**
 * Calls with an idempotency key.
 *
 * 1. A call that has finished is not carried out again: its retries get its outcome.
 * 2. A call under way is joined by its retries. It is cancelled when all of them have gone away.
 * 3. Where nobody can tell whether it has finished, it is not carried out, unless once more does no harm.
 */
import { canonicalJson } from '../../agent/json';
import { keyReused, structuredFailure } from './agent-result';
import { digestOf } from './digest';
import { readOutcome, type KeptOutcome, type OutcomeStore } from './outcome-store';
import type { CallIdentity } from './request-state';
import type { ServedCall } from './serve-call';

/** How one execution ended. Only what is `finished` is kept; after `cancelled` a retry that still waits runs it. */
export interface Ended {
  readonly served: ServedCall;
  readonly as: 'finished' | 'unfinished' | 'cancelled';
}

/** A call with its key. */
export interface KeyedCall {
  readonly about: CallIdentity;
  readonly key: string;
  /** Once more does no harm. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal;
}

/** Carries out a call once for its key. */
export type Once = (
  call: KeyedCall,
  carryOut: (signal: AbortSignal) => Promise<Ended>,
) => Promise<ServedCall>;

/** One execution, for all who wait for it. */
interface Shared {
  readonly digest: string;
  readonly join: (signal: AbortSignal) => void;
  readonly ended: Promise<Ended>;
}

export function newOnce(store: OutcomeStore, ttlMs: number, report: (failure: unknown) => void): Once {
  const underWay = new Map<string, Shared>();

  const lookUp = async (id: string): Promise<KeptOutcome | undefined> => readOutcome(await store.get(id));

  const keep = async (id: string, outcome: KeptOutcome): Promise<void> => {
    try {
      await store.set(id, outcome, ttlMs);
    } catch (error) {
      // It has happened, and whoever waits for it is told.
      report(error);
    }
  };

  const execute = async (
    id: string,
    digest: string,
    isRepeatable: boolean,
    carryOut: () => Promise<Ended>,
  ): Promise<Ended> => {
    try {
      const kept = await lookUp(id);
      if (kept?.digest === digest) return unfinished({ kind: 'result', result: kept.result });
      if (kept) return unfinished(keyReused('arguments'));
    } catch (error) {
      report(error);
      if (!isRepeatable) return unfinished(cannotTell());
    }
    const ended = await carryOut();
    if (ended.as === 'finished' && ended.served.kind === 'result')
      await keep(id, { digest, result: ended.served.result });
    return ended;
  };

  return async ({ about, key, isRepeatable, signal }, carryOut) => {
    const id = idOf(about, key);
    const digest = digestOf(canonicalJson(about.arguments));
    for (;;) {
      const other = underWay.get(id);
      if (!other) break;
      if (other.digest !== digest) return keyReused('arguments');
      other.join(signal);
      const { served, as } = await other.ended;
      if (as !== 'cancelled' || signal.aborted) return served;
    }
    const { join, allGone } = sharedSignal();
    join(signal);
    const ended = Promise.resolve()
      .then(() => execute(id, digest, isRepeatable, () => carryOut(allGone)))
      .finally(() => underWay.delete(id));
    underWay.set(id, { digest, join, ended });
    return (await ended).served;
  };
}

function unfinished(served: ServedCall): Ended {
  return { served, as: 'unfinished' };
}

function cannotTell(): ServedCall {
  return structuredFailure({
    error: 'outcome_unknown',
    message:
      'Whether this call was carried out before cannot be told now, so nothing was done. Call again later with the same key.',
  });
}

/** Aborts when each of those who joined has gone away. */
function sharedSignal(): { readonly join: (signal: AbortSignal) => void; readonly allGone: AbortSignal } {
  const gone = new AbortController();
  let waiting = 0;
  const leave = (): void => {
    waiting -= 1;
    if (waiting === 0) gone.abort();
  };
  return {
    allGone: gone.signal,
    join(signal) {
      waiting += 1;
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    },
  };
}

/** No part can be mistaken for another, and none can be read. */
function idOf({ server, principal, tool }: CallIdentity, key: string): string {
  return `mcp-${digestOf(JSON.stringify([server, principal, tool, key]))}`;
}
