import { QueryNotRegisteredError } from '@temporalio/client';
import { HoldpointError } from '../agent/errors';
import { NO_USAGE } from '../agent/model';
import { QUERY_STATE, type RunSnapshot } from '../agent/wire';
import type { ClientContext } from './client-context';
import { nameOf, type Target } from './ids';
import { notFound } from './not-found';
import { readable } from './readable';
import { GRPC, grpcErrorOf, isNotFound, isTransient } from './rpc-failure';
import { TimeIsOver, WaitLimit } from './wait-limit';

const FIRST_QUERY_MS = 3_000;
/** Without a worker the server gives a query up after 30 s. */
const LONGEST_QUERY_MS = 35_000;

/**
 * How long to wait for one query's answer. A query that finds its run just leaving a worker's memory gets none
 * (measured, once in some ten runs on a busy machine), so the first ones are given up soon; one that makes the
 * worker read a long history again needs longer.
 */
function queryTimeoutMs(failures: number): number {
  return Math.min(FIRST_QUERY_MS * 2 ** failures, LONGEST_QUERY_MS);
}

/** Makes one query; `undefined` when no worker answered this time. */
async function tryQuery<T>(
  context: ClientContext,
  target: Target,
  name: string,
  args: readonly unknown[],
  limit: WaitLimit,
  timeoutMs: number,
): Promise<{ readonly value: T } | undefined> {
  const handle = context.temporal.workflow.getHandle(target.workflowId);
  try {
    const said = await limit.once(() => handle.query<T, unknown[]>(name, ...args), timeoutMs);
    return { value: readable(said, target) };
  } catch (error) {
    if (error instanceof QueryNotRegisteredError) throw notOurs(target, name, error);
    if (isNotFound(error)) throw notFound(target, context.namespace, error);
    if (isUnanswered(error)) return undefined;
    throw error;
  }
}

/** No worker polls, or the run's task has failed and is about to be tried again: both pass. */
function isUnanswered(error: unknown): boolean {
  return isTransient(error) || grpcErrorOf(error)?.code === GRPC.failedPrecondition;
}

/** Asks until a worker answers, at most as long as the call may take. */
export async function query<T>(
  context: ClientContext,
  target: Target,
  name: string,
  args: readonly unknown[],
  limit: WaitLimit,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    const reply = await tryQuery<T>(context, target, name, args, limit, queryTimeoutMs(failures));
    if (reply) return reply.value;
    await limit.pause(failures);
  }
}

/** The run's own word on where it stands; a whole conversation's, on its current or last ask. */
export async function queryState(
  context: ClientContext,
  target: Target,
  limit: WaitLimit,
): Promise<RunSnapshot> {
  const state = await query<RunSnapshot | null>(context, target, QUERY_STATE, [], limit);
  return viewOf(state, target, context.namespace);
}

/** The same, asked once: after so many failures, or for so long. */
export async function tryQueryState(
  context: ClientContext,
  target: Target,
  limit: WaitLimit,
  patience: { readonly failures: number } | { readonly timeoutMs: number },
): Promise<RunSnapshot | undefined> {
  const timeoutMs = 'timeoutMs' in patience ? patience.timeoutMs : queryTimeoutMs(patience.failures);
  const reply = await tryQuery<RunSnapshot | null>(context, target, QUERY_STATE, [], limit, timeoutMs);
  return reply && viewOf(reply.value, target, context.namespace);
}

/** The same for many who ask at once: they share the query, whatever becomes of one of them. */
export async function shareQueryState(
  context: ClientContext,
  target: Target,
  limit: WaitLimit,
  timeoutMs: number,
): Promise<RunSnapshot | undefined> {
  const reply = await limit.orGiveUp(
    context.looks.look(target.workflowId, () => {
      const own = new WaitLimit(context.temporal, {}, timeoutMs);
      return tryQuery<RunSnapshot | null>(context, target, QUERY_STATE, [], own, timeoutMs).catch(
        (error: unknown) => {
          if (error instanceof TimeIsOver) return undefined;
          throw error;
        },
      );
    }),
  );
  return reply && viewOf(reply.value, target, context.namespace);
}

function notOurs(target: Target, query: string, cause: Error): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Client.InvalidOptions',
    `${nameOf(target)} is not Holdpoint's, or failed before it began: its workflow does not answer the query "${query}".`,
    { workflowId: target.workflowId },
    { cause },
  );
}

/**
 * What a conversation's snapshot says of one of its asks: the current one, one that ended, or one that
 * waits its turn and has done nothing yet. Throws `Holdpoint.Run.NotFound` for any other.
 */
export function viewOf(snapshot: RunSnapshot | null, target: Target, namespace: string): RunSnapshot {
  // A conversation that nothing was asked yet.
  if (!snapshot) throw notFound(target, namespace);
  const { runId, conversationId } = target;
  if (runId === undefined || snapshot.runId === runId) return snapshot;
  const { receipts, agent, conversation } = snapshot;
  const ended = conversation?.ended.find((summary) => summary.runId === runId);
  const shared = { receipts, requests: [], rejections: [], ...(conversation && { conversation }) };
  if (ended) return { ...ended, ...shared };
  if (!conversation?.queued.includes(runId)) throw notFound(target, namespace);
  return {
    ...shared,
    runId,
    agent,
    ...(conversationId !== undefined && { conversationId }),
    status: 'running',
    text: '',
    turns: 0,
    usage: NO_USAGE,
    model: '',
    toolCallCount: 0,
    from: snapshot.to,
    to: snapshot.to,
    marks: [],
    startedAt: snapshot.startedAt,
  };
}
