import { HoldpointError } from '../agent/errors';
import { WORKFLOW_RUN, type AgentRunInput } from '../agent/wire';
import type { ClientContext } from './client-context';
import { checkNewId, nameOf, newRunId, runTarget, type RunTarget } from './ids';
import type { AgentRef, StartOptions } from './options';
import { agentName, checkContext, checkInput, checkLimits, checkTenant } from './run-input';
import { isAlreadyStarted } from './rpc-failure';
import { missingAttributes, startAttributes } from './start-attributes';
import { startedWith } from './started-with';
import type { WaitLimit } from './wait-limit';

/** A run that is there now, whoever started it. */
export interface Started {
  readonly target: RunTarget;
  /** The execution, when this call started it. */
  readonly executionId?: string;
}

/** What a start sends, checked before anything is sent. */
export interface Start {
  readonly target: RunTarget;
  readonly input: AgentRunInput;
}

export function prepareStart(
  { scope }: ClientContext,
  agent: AgentRef,
  input: unknown,
  options: StartOptions,
): Start {
  const name = agentName(agent);
  const runId = options.runId === undefined ? newRunId(name) : checkNewId('runId', options.runId, scope);
  const given = checkContext(options.context);
  const limits = checkLimits(options.limits);
  const tenant = checkTenant(options.tenant, scope);
  return {
    target: runTarget(runId, scope),
    input: {
      agent: name,
      input: checkInput(input),
      ...(given !== undefined && { context: given }),
      ...(limits && { limits }),
      ...(tenant !== undefined && { tenant }),
    },
  };
}

/**
 * Starts a run, once per id: an id that exists, open or closed, gives that run when it was started with the
 * same, and is refused otherwise. Nothing ever starts a second run under one id.
 */
export async function startRun(
  context: ClientContext,
  { target, input }: Start,
  limit: WaitLimit,
): Promise<Started> {
  try {
    const handle = await limit.once(() =>
      context.temporal.workflow.start(WORKFLOW_RUN, {
        workflowId: target.workflowId,
        taskQueue: context.taskQueue,
        args: [input],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
        ...startAttributes(context, input.agent, input.tenant, { runId: target.runId, status: 'running' }),
      }),
    );
    return { target, executionId: handle.firstExecutionRunId };
  } catch (error) {
    if (!isAlreadyStarted(error)) throw missingAttributes(error, context) ?? error;
  }
  if (await startedWith(context, target, input, limit)) return { target };
  throw new HoldpointError(
    'Holdpoint.Run.AlreadyExists',
    `${nameOf(target)} was started with another agent, input or context, or that is not known any more. Choose another run id, or leave it out.`,
    { runId: target.runId },
  );
}
