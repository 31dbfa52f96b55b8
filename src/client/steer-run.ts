import { randomUUID } from 'node:crypto';
import { SIGNAL_ADD_MESSAGE, UPDATE_CANCEL, type AddMessageInput } from '../agent/wire';
import type { ClientContext } from './client-context';
import type { RunTarget } from './ids';
import { describeRun } from './run-description';
import { closedError, isGone, sendUpdate } from './send-update';
import type { WaitLimit } from './wait-limit';

/** Cancels a run, or one ask of a conversation. Resolves once that is on record, not once it has ended. */
export async function cancelRun(context: ClientContext, target: RunTarget, limit: WaitLimit): Promise<void> {
  const { workflowId, runId, conversationId } = target;
  try {
    if (conversationId === undefined) {
      // The server takes the cancellation of a closed workflow without a word.
      if (!(await describeRun(context, workflowId, limit)).open)
        throw await closedError(context, target, limit);
      await limit.retrying(() => context.temporal.workflow.getHandle(workflowId).cancel());
    } else
      await sendUpdate(
        context,
        target,
        { name: UPDATE_CANCEL, argument: runId, updateId: `cancel_${randomUUID()}` },
        limit,
      );
  } catch (error) {
    throw isGone(error) ? await closedError(context, target, limit) : error;
  }
}

/** Adds a user's message (R41). Sent once: a second one would be another message. */
export async function addMessage(
  context: ClientContext,
  target: RunTarget,
  message: AddMessageInput,
  limit: WaitLimit,
): Promise<void> {
  const handle = context.temporal.workflow.getHandle(target.workflowId);
  try {
    await limit.once(() => handle.signal(SIGNAL_ADD_MESSAGE, message));
  } catch (error) {
    throw isGone(error) ? await closedError(context, target, limit) : error;
  }
}
