import { randomUUID } from 'node:crypto';
import { HoldpointError } from '../agent/errors';
import {
  SIGNAL_ADD_MESSAGE,
  SIGNAL_NOTE_REFUSAL,
  UPDATE_CANCEL,
  UPDATE_REVOKE,
  type AddMessageInput,
  type RefusalNote,
} from '../agent/wire';
import type { Revocation } from '../agent/run-state';
import type { ClientContext } from './client-context';
import type { RunTarget, Target } from './ids';
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

/** Takes back an approval of all calls of a tool. True when there was one. */
export async function revokeApproval(
  context: ClientContext,
  target: RunTarget,
  argument: Revocation,
  limit: WaitLimit,
): Promise<boolean> {
  if (typeof argument.tool !== 'string' || argument.tool === '')
    throw new HoldpointError('Holdpoint.Client.InvalidOptions', 'Expected `tool` to be the name of a tool.');
  const { path } = argument;
  if (path !== undefined && !(Array.isArray(path) && path.every((name) => typeof name === 'string')))
    throw new HoldpointError(
      'Holdpoint.Client.InvalidOptions',
      'Expected `path` to be an array of names of agents, as `grants` of the run have it.',
    );
  try {
    const update = { name: UPDATE_REVOKE, argument, updateId: `revoke_${randomUUID()}` };
    return (await sendUpdate<{ revoked: boolean }>(context, target, update, limit)).revoked;
  } catch (error) {
    throw isGone(error) ? await closedError(context, target, limit) : error;
  }
}

/**
 * Puts a refused attempt on the run's record, once a minute for whoever tries: each note is an event of its history. A run
 * that has ended keeps its record as it is.
 */
export async function noteRefusal(
  context: ClientContext,
  target: Target,
  note: RefusalNote,
  limit: WaitLimit,
): Promise<void> {
  const key = JSON.stringify([target.workflowId, note.by, note.channel]);
  if (context.noted.has(key)) return;
  context.noted.set(key, true);
  const handle = context.temporal.workflow.getHandle(target.workflowId);
  try {
    await limit.once(() => handle.signal(SIGNAL_NOTE_REFUSAL, note));
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
