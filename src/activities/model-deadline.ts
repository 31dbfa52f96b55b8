import type { Context } from '@temporalio/activity';
import { HoldpointError } from '../agent/errors';

/** The activity's own limit ends it with no word of why; this much earlier it can still say so. */
const MARGIN_MS = 10_000;
const DEFAULT_BOUND_MS = 10 * 60_000;

/**
 * Runs work under a signal that aborts with the activity, or with `Holdpoint.Model.TimedOut` shortly before
 * the activity's time is up (R9: ten minutes for a model call, its retries and waits included).
 */
export async function withinModelBound<T>(
  { info, cancellationSignal }: Context,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const boundMs = info.startToCloseTimeoutMs || DEFAULT_BOUND_MS;
  const leftMs = Math.max(boundMs - MARGIN_MS, boundMs / 2);
  const bound = new AbortController();
  const timer = setTimeout(() => {
    const message = `The model call took longer than ${Math.round(leftMs / 1000)} s, its retries included. Ask for less in one turn, or set a shorter \`timeoutMs\` on the model so that a retry fits.`;
    bound.abort(new HoldpointError('Holdpoint.Model.TimedOut', message, { timeoutMs: leftMs }));
  }, leftMs);
  try {
    return await work(AbortSignal.any([cancellationSignal, bound.signal]));
  } finally {
    clearTimeout(timer);
  }
}
