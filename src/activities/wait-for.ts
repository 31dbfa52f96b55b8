import { Context } from '@temporalio/activity';
import { MAX_ANSWER_BYTES } from '../agent/answer';
import { errorMessage, HoldpointError } from '../agent/errors';
import { jsonSize, type Json } from '../agent/json';
import type { WaitForOutcome } from '../agent/port';
import type { WaitFor, WaitForContext } from '../agent/wait-for';
import type { WaitForInput } from '../agent/wire';
import { toApplicationFailure } from './failures';
import { withHeartbeats } from './heartbeats';
import type { Services } from './services';

const NONE: WaitForOutcome = { is: 'none' };

/** The activity `waitFor`: offers one request to the worker's own host (R32). */
export function createWaitFor(services: Services): (input: WaitForInput) => Promise<WaitForOutcome> {
  return async ({ run, request }) => {
    const { waitFor, waitForTimeoutMs } = services;
    // A worker of another version took the turn; this one has no host to ask.
    if (!waitFor) return NONE;
    const context = Context.current();
    const { runId, conversationId, agent } = run;
    const about = { runId, ...(conversationId !== undefined && { conversationId }), agent };
    return withHeartbeats(context, () =>
      withinTime(context.cancellationSignal, waitForTimeoutMs, (signal) =>
        ask(waitFor, request, { ...about, signal }),
      ),
    );
  };
}

async function ask(
  waitFor: WaitFor,
  request: WaitForInput['request'],
  ctx: WaitForContext,
): Promise<WaitForOutcome> {
  const answer: unknown = await waitFor(request, ctx);
  const bytes = jsonSize(answer);
  if (bytes > MAX_ANSWER_BYTES)
    throw new Error(
      `The answer of \`waitFor\` has ${bytes} bytes as JSON; at most ${MAX_ANSWER_BYTES} are taken. Store the result elsewhere and answer with a reference to it.`,
    );
  // What is not JSON cannot travel; the run refuses what arrives in its place, and says so.
  return { is: 'answer', answer: (answer ?? null) as Json };
}

/** Gives up on a host that takes too long, or was dropped, whether or not it minds its signal. */
async function withinTime(
  cancelled: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<WaitForOutcome>,
): Promise<WaitForOutcome> {
  const time = new AbortController();
  const signal = AbortSignal.any([cancelled, time.signal]);
  const timer = setTimeout(() => time.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  // Settled before the host hears of it: what it throws because its time is up is not its answer.
  const over = new Promise<WaitForOutcome>((resolve, reject) => {
    cancelled.addEventListener('abort', () => reject(cancelled.reason as Error), { once: true });
    time.signal.addEventListener('abort', () => resolve(NONE), { once: true });
  });
  try {
    cancelled.throwIfAborted();
    return await Promise.race([work(signal), over]);
  } catch (error) {
    cancelled.throwIfAborted();
    throw toApplicationFailure(
      new HoldpointError('Holdpoint.Run.WaitForFailed', errorMessage(error), {}, { cause: error }),
      'Holdpoint.Run.WaitForFailed',
    );
  } finally {
    clearTimeout(timer);
  }
}
