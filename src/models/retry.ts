import { HoldpointError } from '../agent/errors';
import type { Model, ModelRequest, ModelResponse } from '../agent/model';
import { abortableSleep } from './abortable-sleep';
import { isRetriedModelError, toModelError } from './model-error';

const DEFAULT_RETRIES = 2;
const DEFAULT_MAX_WAIT_MS = 60_000;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/** How often a model call may be repeated (R37). */
export interface RetryOptions {
  /** Requests after the first that failed. Default 2, minimum 0. */
  readonly retries?: number;
  /** Requests of this call that failed on a worker before this one. Default 0. */
  readonly alreadyFailed?: number;
  /**
   * Called after each failed request, before the wait, with how many have failed in all. Where the count is
   * kept, `alreadyFailed` of the next worker. A request that its worker did not survive is not counted.
   */
  readonly onFailure?: (failed: number, error: HoldpointError) => void;
  /** The longest wait that a `Retry-After` is granted, in milliseconds. Default 60 000. */
  readonly maxWaitMs?: number;
  /** Default: a timer that an abort ends at once. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Calls the model and repeats what may pass: at most `retries + 1` requests in all. The one owner of retries;
 * a `Model` makes one request and the provider's package none of its own.
 *
 * Throws the signal's reason once it aborts, during a wait at once; a final error as it is; and when the
 * retries are used up the last error, with the number of `requests` in its data.
 *
 * ```ts
 * const response = await generateWithRetries(openaiModel(), request, { retries: 2 });
 * ```
 */
export async function generateWithRetries(
  model: Model,
  request: ModelRequest,
  options: RetryOptions = {},
): Promise<ModelResponse> {
  const { retries = DEFAULT_RETRIES, alreadyFailed = 0, maxWaitMs = DEFAULT_MAX_WAIT_MS } = options;
  const { onFailure, sleep = abortableSleep } = options;
  if (!Number.isInteger(retries) || retries < 0)
    throw new HoldpointError(
      'Holdpoint.Model.InvalidOptions',
      `Expected \`retries\` to be a whole number of at least 0, got ${String(retries)}.`,
    );
  const allowed = retries + 1;
  if (alreadyFailed >= allowed) throw usedUpBefore(alreadyFailed);
  for (let failed = alreadyFailed; ;) {
    request.signal.throwIfAborted();
    try {
      return await model.generate(request);
    } catch (thrown) {
      // First of all: a cancelled call must never look like a failure and be repeated.
      request.signal.throwIfAborted();
      const error = toModelError(thrown);
      if (!isRetriedModelError(error)) throw error;
      failed += 1;
      onFailure?.(failed, error);
      if (failed >= allowed) throw usedUp(error, failed);
      await sleep(waitMs(error, failed, maxWaitMs), request.signal);
    }
  }
}

/** What the provider asked for, within the cap; otherwise twice as long each time, with jitter. */
function waitMs(error: HoldpointError, failed: number, maxWaitMs: number): number {
  const { retryAfterMs } = error.data;
  if (typeof retryAfterMs === 'number' && retryAfterMs >= 0) return Math.min(retryAfterMs, maxWaitMs);
  const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** (failed - 1), LONGEST_BACKOFF_MS, maxWaitMs);
  // Many runs fail together when a provider does; they must not come back together.
  return backoff * (0.5 + Math.random() / 2);
}

function usedUp(error: HoldpointError, requests: number): HoldpointError {
  const count = requests === 1 ? '1 request was made' : `${requests} requests were made`;
  return new HoldpointError(error.type, `${error.message} ${count}.`, { ...error.data, requests });
}

/** The worker that saw the last failure ended before it could say so. */
function usedUpBefore(requests: number): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Model.Failed',
    `The model call failed ${requests} times on a worker that has ended since; no request is left to it.`,
    { requests },
  );
}
