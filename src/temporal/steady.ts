import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure, type PayloadCodec, type SerializationContext } from '@temporalio/common';
import { errorMessage, HoldpointError } from '../agent/errors';

const FIRST_PAUSE_MS = 100;
const TRIES = 5;
/**
 * Five minutes for what an activity writes. The SDK cancels a call whose heartbeat cannot be written, and ends the worker
 * where a failure cannot, with all other calls that are under way.
 */
const TRIES_OF_ACTIVITY = 64;
const LONGEST_PAUSE_MS = 5_000;
/** One that never settles would keep its place in the worker for good. */
const TRY_MS = 30_000;
const UNAVAILABLE = 'Holdpoint.Data.Unavailable';

/**
 * Calls a store or a codec of the user's again when it fails: the result of a call that ran cannot be made again, so
 * what is away for a moment must not lose it. Throws `Holdpoint.Data.Unavailable`.
 */
export async function steadily<T>(
  what: string,
  work: () => Promise<T>,
  { tries = TRIES, tryMs = TRY_MS } = {},
): Promise<T> {
  for (let tried = 1; ; tried += 1)
    try {
      return await inTime(work, tryMs);
    } catch (cause) {
      if (tried === tries)
        throw new HoldpointError(
          UNAVAILABLE,
          `${what} failed ${tries} times, and what needs it has to wait. It said: ${errorMessage(cause)}`,
          {},
          { cause },
        );
      await delay(Math.min(FIRST_PAUSE_MS * 2 ** tried, LONGEST_PAUSE_MS));
    }
}

/** The same for what is written. */
export function steadilyWritten<T>(
  what: string,
  context: SerializationContext | undefined,
  work: () => Promise<T>,
): Promise<T> {
  return steadily(what, work, context?.type === 'activity' ? { tries: TRIES_OF_ACTIVITY } : {});
}

/**
 * The same for what is read. An activity whose input cannot be read has not begun, which its run must be able to tell
 * from a call that may have taken effect (R33).
 */
export async function steadilyRead<T>(
  what: string,
  context: SerializationContext | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await steadily(what, work);
  } catch (cause) {
    if (context?.type !== 'activity') throw cause;
    throw ApplicationFailure.create({ type: UNAVAILABLE, message: errorMessage(cause) });
  }
}

/** A codec of the user's, asked again when it fails, whose payloads are counted: a lost one would pass for a shorter list. */
export function steadyCodec(codec: PayloadCodec): PayloadCodec {
  return {
    encode: (payloads, context) =>
      steadilyWritten('`encode` of a payload codec', context, async () =>
        counted('encode', payloads, await codec.encode(payloads, context)),
      ),
    decode: (payloads, context) =>
      steadilyRead('`decode` of a payload codec', context, async () =>
        counted('decode', payloads, await codec.decode(payloads, context)),
      ),
  };
}

function counted<T>(method: string, given: readonly T[], made: T[]): T[] {
  const got: unknown = made;
  if (Array.isArray(got) && got.length === given.length) return made;
  const what = Array.isArray(got) ? String(got.length) : typeof got;
  throw new Error(`Expected \`${method}\` to give ${given.length} payloads, got ${what}.`);
}

async function inTime<T>(work: () => Promise<T>, ms: number): Promise<T> {
  const scope = new AbortController();
  const late = delay(ms, undefined, { signal: scope.signal }).then(
    () => Promise.reject(new Error(`It took longer than ${ms} ms.`)),
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([work(), late]);
  } finally {
    scope.abort();
  }
}
