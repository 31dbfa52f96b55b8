import { HoldpointError } from '../agent/errors';
import type { JsonObject } from '../agent/json';
import { watchForWorker } from './absent-worker';
import type { ClientContext } from './client-context';
import { nameOf, type Target } from './ids';
import type { CallOptions } from './options';
import { notFound } from './not-found';
import { isNotFound, toClientError } from './rpc-failure';
import { checkReach, ownError } from './scope';
import { DEFAULT_CALL_MS, DEFAULT_WAIT_MS, TimeIsOver, WaitLimit } from './wait-limit';
import { workersPolling } from './workers';

/** One call of the client: what it is about, and what to say when it takes too long. */
export interface Operation {
  /** Absent for calls about no run in particular. */
  readonly target?: Target;
  /** Whether the target must be there: `perhaps` for what a message may start. Default `yes`. */
  readonly exists?: 'no' | 'perhaps';
  readonly waits?: true;
  /** What the call was about to do, such as `halt or end`; part of the time-out's message. */
  readonly goal: string;
  /** How to go on after a time-out, as a sentence. */
  readonly remedy: string;
}

/** Why a call took too long is looked up for so long. */
const LOOK_MS = 3_000;

/** Runs one call within its time limit and gives every failure its type. */
export async function operate<T>(
  context: ClientContext,
  operation: Operation,
  options: CallOptions,
  body: (limit: WaitLimit) => Promise<T>,
): Promise<T> {
  const limit = new WaitLimit(context.temporal, options, operation.waits ? DEFAULT_WAIT_MS : DEFAULT_CALL_MS);
  const endWatch = watchForWorker(context, operation);
  try {
    return await limit.enforced(reach(context, operation, limit).then(() => body(limit)));
  } catch (error) {
    if (options.signal?.aborted && !(error instanceof HoldpointError)) throw options.signal.reason;
    throw ownError(context, await typed(context, operation, limit, error), operation.target);
  } finally {
    endWatch();
  }
}

/** Every failure with its type. */
async function typed(
  context: ClientContext,
  operation: Operation,
  limit: WaitLimit,
  error: unknown,
): Promise<unknown> {
  if (error instanceof TimeIsOver) return timeIsOver(context, operation, limit.waitMs);
  if (error instanceof HoldpointError) return error;
  if (operation.target && isNotFound(error)) return notFound(operation.target, context.namespace, error);
  return toClientError(error, context, idsOf(operation.target));
}

async function reach(context: ClientContext, { target, exists }: Operation, limit: WaitLimit): Promise<void> {
  if (!target || exists === 'no') return;
  try {
    await checkReach(context, target, limit);
  } catch (error) {
    if (exists !== 'perhaps' || !isNotFound(error)) throw error;
  }
}

function idsOf(target: Target | undefined): JsonObject {
  const { runId, conversationId } = target ?? {};
  return { ...(runId !== undefined && { runId }), ...(conversationId !== undefined && { conversationId }) };
}

/** A wait may outlast many workers; a call that only needs one, and has none, says that in its type. */
async function timeIsOver(
  context: ClientContext,
  { target, waits, goal, remedy }: Operation,
  waitMs: number,
): Promise<HoldpointError> {
  const subject = target ? `${nameOf(target)} did not ${goal}` : `The call did not ${goal}`;
  const brief = new WaitLimit(context.temporal, {}, LOOK_MS);
  const workers = await brief.enforced(workersPolling(context, target)).catch(() => undefined);
  const absent = workers?.count === 0;
  const hint = absent
    ? ` No worker polls task queue "${workers.taskQueue}": start one with createWorker.`
    : '';
  return new HoldpointError(
    absent && waits !== true ? 'Holdpoint.Client.NoWorker' : 'Holdpoint.Client.WaitTimedOut',
    `${subject} within ${waitMs} ms.${hint} ${remedy}`,
    {
      waitMs,
      ...idsOf(target),
      ...(workers && { workers: workers.count, taskQueue: workers.taskQueue }),
    },
  );
}
