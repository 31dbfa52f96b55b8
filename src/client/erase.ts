import { HoldpointError } from '../agent/errors';
import type { ClientContext } from './client-context';
import { readFirstEvent } from './first-event';
import { continuedFrom } from './history-event';
import { conversationTarget, runTarget, type Scope, type Target } from './ids';
import { notFound } from './not-found';
import type { EraseTarget } from './options';
import { isNotFound } from './rpc-failure';
import { describeRun, type RunDescription } from './run-description';
import { isReachable } from './scope';
import type { WaitLimit } from './wait-limit';

/** A chain cannot be longer than this many executions unless something is wrong with it. */
const MAX_EXECUTIONS = 10_000;

/**
 * Deletes a run or a conversation with all its history, every execution of its chain. One that is still open
 * is ended by that, its calls in flight included. Resolves when the server has it no more.
 */
export async function eraseRun(context: ClientContext, what: EraseTarget, limit: WaitLimit): Promise<void> {
  const target = await resolveTarget(context, what, limit);
  const { workflowId } = target;
  const current = await describeOrNothing(context, workflowId, limit);
  if (!current || !isReachable(context, target, current)) throw notFound(target, context.namespace);
  // Newest first: while the current one is there, nobody can take the id for free.
  const executions = await executionsOf(context, workflowId, current.executionId, limit);
  for (const executionId of executions) await deleteExecution(context, workflowId, executionId, limit);
  // The server deletes in its own time, each execution by itself.
  for (const executionId of executions)
    for (let looks = 0; await describeOrNothing(context, workflowId, limit, executionId); looks += 1)
      await limit.pause(looks);
}

async function resolveTarget(context: ClientContext, what: EraseTarget, limit: WaitLimit): Promise<Target> {
  const { scope } = context;
  if (typeof what !== 'string') {
    if ('conversationId' in what) return conversationTarget(what.conversationId, scope);
    return wholeRun(what.runId, scope);
  }
  const run = wholeRun(what, scope);
  const conversation = conversationTarget(what, scope);
  const isRun = (await describeOrNothing(context, run.workflowId, limit)) !== undefined;
  const isConversation = (await describeOrNothing(context, conversation.workflowId, limit)) !== undefined;
  if (isRun && isConversation)
    throw new HoldpointError(
      'Holdpoint.Client.InvalidOptions',
      `"${what}" is both a run and a conversation. Say which: erase({ runId }) or erase({ conversationId }).`,
      { runId: what, conversationId: what },
    );
  return isConversation ? conversation : run;
}

/** One ask cannot be taken out of its conversation's history. */
function wholeRun(runId: string, scope: Scope | undefined): Target {
  const target = runTarget(runId, scope);
  if (target.conversationId === undefined) return target;
  throw new HoldpointError(
    'Holdpoint.Client.InvalidOptions',
    `"${runId}" is an ask of conversation "${target.conversationId}". Only the whole conversation can be erased.`,
    { runId, conversationId: target.conversationId },
  );
}

/** The chain's executions, newest first, as far back as the namespace keeps them. */
async function executionsOf(
  context: ClientContext,
  workflowId: string,
  newest: string,
  limit: WaitLimit,
): Promise<string[]> {
  const executions: string[] = [];
  let runId: string | undefined = newest;
  while (runId !== undefined && executions.length < MAX_EXECUTIONS) {
    executions.push(runId);
    runId = continuedFrom(await readFirstEvent(context, { workflowId, runId }, limit));
  }
  return executions;
}

async function deleteExecution(
  context: ClientContext,
  workflowId: string,
  runId: string,
  limit: WaitLimit,
): Promise<void> {
  const { temporal, namespace } = context;
  try {
    await limit.retrying(() =>
      temporal.workflowService.deleteWorkflowExecution({
        namespace,
        workflowExecution: { workflowId, runId },
      }),
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function describeOrNothing(
  context: ClientContext,
  workflowId: string,
  limit: WaitLimit,
  executionId?: string,
): Promise<RunDescription | undefined> {
  try {
    return await describeRun(context, workflowId, limit, executionId);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
