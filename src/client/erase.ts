import { HoldpointError } from '../agent/errors';
import type { ClientContext } from './client-context';
import { childrenOf } from './children';
import { readFirstEvent } from './first-event';
import { continuedFrom } from './history-event';
import { conversationTarget, runTarget, shownId, type Scope, type Target } from './ids';
import { notFound } from './not-found';
import type { EraseTarget } from './options';
import { isNotFound } from './rpc-failure';
import { describeRun, type RunDescription } from './run-description';
import { isReachable } from './scope';
import type { WaitLimit } from './wait-limit';

/** A chain cannot be longer than this many executions unless something is wrong with it. */
const MAX_EXECUTIONS = 10_000;

/**
 * Deletes a run or a conversation with all its history, every execution of its chain, and its sub-agents' runs. One that is still open
 * is ended by that, its calls in flight included. Resolves when the server has it no more.
 */
export async function eraseRun(context: ClientContext, what: EraseTarget, limit: WaitLimit): Promise<void> {
  const target = await resolveTarget(context, what, limit);
  const { workflowId } = target;
  const current = await describeOrNothing(context, workflowId, limit);
  if (!current || !isReachable(context, target, current)) throw notFound(target, context.namespace);
  let left: readonly Standing[] = [{ workflowId, ...current }];
  while (left.length > 0) {
    const family: Standing[] = [];
    for (const one of left) family.push(...(await familyOf(context, one, limit)));
    for (const execution of family) await deleteExecution(context, execution, limit);
    // The server deletes in its own time, each execution by itself.
    for (const { workflowId: id, executionId } of family)
      for (let looks = 0; await describeOrNothing(context, id, limit, executionId); looks += 1)
        await limit.pause(looks);
    left = await continued(context, family, limit);
  }
}

/** What continued as new meanwhile has taken along what it holds. A run that took a free id since is another one. */
async function continued(
  context: ClientContext,
  family: readonly Standing[],
  limit: WaitLimit,
): Promise<Standing[]> {
  const chains = new Map(family.map(({ workflowId, firstExecutionId }) => [workflowId, firstExecutionId]));
  const found: Standing[] = [];
  for (const [workflowId, firstExecutionId] of chains) {
    const now = await describeOrNothing(context, workflowId, limit);
    if (now?.firstExecutionId === firstExecutionId) found.push({ workflowId, ...now });
  }
  return found;
}

interface Execution {
  readonly workflowId: string;
  readonly executionId: string;
}

/** With the first of its chain. */
interface Standing extends Execution {
  readonly firstExecutionId: string;
}

/**
 * All executions that hold something of a run. Newest first: while the current one is there, nobody can take the id
 * for free. Its sub-agents and deliveries hold parts of it; they come last, or a run that goes on would start more.
 */
async function familyOf(
  context: ClientContext,
  { workflowId, executionId, firstExecutionId }: Standing,
  limit: WaitLimit,
): Promise<Standing[]> {
  const own = await executionsOf(context, workflowId, executionId, limit);
  const family = own.map((id): Standing => ({ workflowId, executionId: id, firstExecutionId }));
  for (const runId of own)
    for (const child of await childrenOf(context, { workflowId, runId }, limit)) {
      const now = await describeOrNothing(context, child, limit);
      if (now) family.push(...(await familyOf(context, { workflowId: child, ...now }, limit)));
    }
  return family;
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
    `"${shownId(runId)}" is an ask of conversation "${shownId(target.conversationId)}". Only the whole conversation can be erased.`,
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
  { workflowId, executionId: runId }: Execution,
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
