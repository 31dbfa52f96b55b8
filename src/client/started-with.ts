import { canonicalJson, isRecord } from '../agent/json';
import { WORKFLOW_RUN, type AgentRunInput } from '../agent/wire';
import type { ClientContext } from './client-context';
import { decodePayload } from './decode';
import { readFirstEvent } from './first-event';
import type { RunTarget } from './ids';
import { readable } from './readable';
import { describeRun } from './run-description';
import type { WaitLimit } from './wait-limit';

/**
 * Whether the run under this id was started with the same agent, input, context and tenant. What it was
 * started with is in the first event of its chain's first execution; where the namespace does not keep that
 * any more, the answer is no.
 */
export async function startedWith(
  context: ClientContext,
  target: RunTarget,
  input: AgentRunInput,
  limit: WaitLimit,
): Promise<boolean> {
  const { workflowType, firstExecutionId } = await describeRun(context, target.workflowId, limit);
  if (workflowType !== WORKFLOW_RUN) return false;
  const first = await readInput(context, target, firstExecutionId, limit);
  return isRecord(first) && identity(first) === identity({ ...input });
}

async function readInput(
  context: ClientContext,
  target: RunTarget,
  runId: string,
  limit: WaitLimit,
): Promise<unknown> {
  const first = await readFirstEvent(context, { workflowId: target.workflowId, runId }, limit);
  const started = first?.workflowExecutionStartedEventAttributes;
  return first && readable(await decodePayload(context, target.workflowId, started?.input?.payloads), target);
}

function identity({ agent, input, context, tenant }: Readonly<Record<string, unknown>>): string {
  return canonicalJson({ agent, input, context, tenant });
}
