import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation, WorkflowUpdateFailedError } from '@temporalio/client';
import { HoldpointError, type ErrorType } from '../agent/errors';
import { MAX_DURATION_MS } from '../agent/limits';
import {
  UPDATE_ABANDON,
  UPDATE_ASK,
  UPDATE_CLOSE,
  WORKFLOW_CONVERSATION,
  type AgentConversationInput,
  type AskMessage,
  type AskReceipt,
} from '../agent/wire';
import type { ClientContext } from './client-context';
import { askTarget, checkNewId, conversationTarget, type ConversationTarget, type RunTarget } from './ids';
import type { AgentRef, AskOptions } from './options';
import { agentName, checkContext, checkLimits, checkTenant, checkUserInput } from './run-input';
import { readClosing } from './closed-run';
import { readable } from './readable';
import { isAlreadyStarted, refusalOf } from './rpc-failure';
import { describeRun } from './run-description';
import { closedError, isGone, sendUpdate, UPDATE_TIMEOUT_MS } from './send-update';
import { missingAttributes, startAttributes } from './start-attributes';
import type { WaitLimit } from './wait-limit';

/** An ask that a conversation has taken. */
export interface Queued {
  readonly target: RunTarget;
  /** Asks before it. */
  readonly position: number;
}

/** What an ask sends, checked before anything is sent. */
export interface Ask {
  readonly target: ConversationTarget;
  readonly start: AgentConversationInput;
  readonly message: AskMessage;
}

export function prepareAsk(
  { scope }: ClientContext,
  agent: AgentRef,
  conversationId: unknown,
  text: unknown,
  options: AskOptions,
): Ask {
  const name = agentName(agent);
  const { idleTtlMs, whilePending } = options;
  const tenant = checkTenant(options.tenant, scope);
  const given = checkContext(options.context);
  const limits = checkLimits(options.limits);
  if (
    idleTtlMs !== undefined &&
    !(Number.isInteger(idleTtlMs) && idleTtlMs > 0 && idleTtlMs <= MAX_DURATION_MS)
  )
    throw invalid(
      `Expected \`idleTtlMs\` to be a whole number of milliseconds from 1 to ${MAX_DURATION_MS}, got ${idleTtlMs}.`,
    );
  if (whilePending !== undefined && !['refuse', 'queue', 'decline'].includes(whilePending))
    throw invalid(`Expected \`whilePending\` to be refuse, queue or decline, got ${String(whilePending)}.`);
  return {
    target: conversationTarget(checkNewId('conversationId', conversationId, scope), scope),
    start: {
      agent: name,
      ...(tenant !== undefined && { tenant }),
      ...(idleTtlMs !== undefined && { idleTtlMs }),
    },
    message: {
      input: checkUserInput(text),
      agent: name,
      ...(given !== undefined && { context: given }),
      ...(limits && { limits }),
      ...(whilePending && { whilePending }),
    },
  };
}

/**
 * Queues a message, starting the conversation with its first one. The call returns once it is queued: an
 * update that lasted as long as the ask would be in the way of continuing as new. A conversation that has
 * closed is never started again (R40).
 */
export async function queueAsk(
  context: ClientContext,
  { target, start, message }: Ask,
  limit: WaitLimit,
): Promise<Queued> {
  const updateId = `ask_${randomUUID()}`;
  const send = (): Promise<AskReceipt> =>
    context.temporal.workflow.executeUpdateWithStart<() => Promise<unknown>, AskReceipt, [AskMessage]>(
      UPDATE_ASK,
      {
        args: [message],
        updateId,
        // One operation is good for one attempt.
        startWorkflowOperation: new WithStartWorkflowOperation(WORKFLOW_CONVERSATION, {
          workflowId: target.workflowId,
          taskQueue: context.taskQueue,
          args: [start],
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
          ...startAttributes(context, start.agent, start.tenant, {
            runId: `${target.conversationId}/0`,
            status: 'idle',
          }),
        }),
      },
    );
  try {
    const { runId, position } = readable(await limit.retrying(send, UPDATE_TIMEOUT_MS), target);
    return { target: askTarget(target, runId), position };
  } catch (error) {
    if (isAlreadyStarted(error) || isGone(error)) throw await closedError(context, target, limit);
    const known = refusalOf(error) ?? missingAttributes(error, context);
    throw known ?? (await failedAtOnce(context, target, error, limit)) ?? error;
  }
}

/** Why a conversation failed with its first ask, as on a worker that cannot read what it was started with. */
async function failedAtOnce(
  context: ClientContext,
  target: ConversationTarget,
  error: unknown,
  limit: WaitLimit,
): Promise<HoldpointError | undefined> {
  if (!(error instanceof WorkflowUpdateFailedError)) return undefined;
  const { open, executionId } = await describeRun(context, target.workflowId, limit);
  const closing = open ? undefined : await readClosing(context, target, executionId, limit);
  if (!closing || !('error' in closing)) return undefined;
  const { type, message, data } = closing.error;
  return new HoldpointError(type as ErrorType, message, data, { cause: error });
}

/** Declines the open requests and ends the ask that waits on them (R40). */
export async function abandonAsk(
  context: ClientContext,
  target: ConversationTarget,
  reason: string | undefined,
  limit: WaitLimit,
): Promise<void> {
  try {
    await sendUpdate(
      context,
      target,
      { name: UPDATE_ABANDON, argument: reason, updateId: `abandon_${randomUUID()}` },
      limit,
    );
  } catch (error) {
    throw isGone(error) ? await closedError(context, target, limit) : error;
  }
}

/** Ends the conversation; one that has ended already stays as it is. */
export async function closeConversation(
  context: ClientContext,
  target: ConversationTarget,
  limit: WaitLimit,
): Promise<void> {
  try {
    await sendUpdate(context, target, { name: UPDATE_CLOSE, updateId: `close_${randomUUID()}` }, limit);
  } catch (error) {
    if (!isGone(error)) throw error;
    // Throws when there never was one.
    await closedError(context, target, limit);
  }
}

function invalid(message: string): HoldpointError {
  return new HoldpointError('Holdpoint.Client.InvalidOptions', message);
}
