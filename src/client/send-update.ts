import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { HoldpointError } from '../agent/errors';
import type { ClientContext } from './client-context';
import { nameOf, type Target } from './ids';
import { describeRun } from './run-description';
import { readable } from './readable';
import { isNotFound, refusalOf } from './rpc-failure';
import type { WaitLimit } from './wait-limit';

/** The server answers an update's long poll after some 20 s. */
export const UPDATE_TIMEOUT_MS = 60_000;

/**
 * Sends an update and gives its result. It is sent again, under the same id, until it gets one: without a
 * worker, or with ten others in flight, it waits its turn. Throws the run's own refusal as it is.
 */
export async function sendUpdate<T>(
  context: ClientContext,
  target: Target,
  update: { readonly name: string; readonly argument?: unknown; readonly updateId: string },
  limit: WaitLimit,
): Promise<T> {
  const handle = context.temporal.workflow.getHandle(target.workflowId);
  const { name, argument, updateId } = update;
  const send = (): Promise<T> =>
    argument === undefined
      ? handle.executeUpdate<T, []>(name, { updateId })
      : handle.executeUpdate<T, [unknown]>(name, { args: [argument], updateId });
  try {
    const said = await context.turns.take(target.workflowId, limit, () =>
      limit.retrying(send, UPDATE_TIMEOUT_MS),
    );
    return readable(said, target);
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

/** Nothing takes the message any more: the workflow is closed, or was never there. */
export function isGone(error: unknown): boolean {
  if (isNotFound(error)) return true;
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  return cause instanceof ApplicationFailure && cause.type === 'AcceptedUpdateCompletedWorkflow';
}

/** The typed error for a message that found its workflow closed; throws `…NotFound` when there never was one. */
export async function closedError(
  context: ClientContext,
  target: Target,
  limit: WaitLimit,
): Promise<HoldpointError> {
  await describeRun(context, target.workflowId, limit);
  const { runId, conversationId } = target;
  return new HoldpointError(
    runId === undefined ? 'Holdpoint.Conversation.Closed' : 'Holdpoint.Run.Closed',
    `${nameOf(target)} has ended and takes nothing any more. ${
      runId === undefined ? 'Start a conversation under another id.' : 'Read how it ended with `get`.'
    }`,
    { ...(runId !== undefined && { runId }), ...(conversationId !== undefined && { conversationId }) },
  );
}
