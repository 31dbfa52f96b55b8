import type { WorkflowExecutionInfo } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { isRecord } from '../agent/json';
import { MEMO_KEY, SEARCH_ATTRIBUTES, type RunMemo } from '../agent/wire';
import type { ClientContext } from './client-context';
import { executionInfo } from './execution-info';
import { listedStatus, type ListedStatus } from './listed-status';
import type { WaitLimit } from './wait-limit';

const TENANT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.tenant, 'KEYWORD');

/** What the server itself knows of a run, without any worker. */
export interface RunDescription {
  readonly open: boolean;
  readonly status: ListedStatus;
  readonly workflowType: string;
  /** The execution that is, or was, the last of its chain. */
  readonly executionId: string;
  readonly firstExecutionId: string;
  /** As lists have it; absent too where nothing is listed. */
  readonly tenant?: string;
  /** Id of the last event that this description covers. */
  readonly events: number;
  /** The last halt marker; absent before the first. */
  readonly memo?: RunMemo;
}

/**
 * Looks a workflow up: its last execution, or the one that is given. A `WorkflowNotFoundError` tells that
 * there is none.
 */
export async function describeRun(
  context: ClientContext,
  workflowId: string,
  limit: WaitLimit,
  executionId?: string,
): Promise<RunDescription> {
  const found = await executionInfo(context, await describe(context, workflowId, limit, executionId));
  const noted = found.memo?.[MEMO_KEY];
  const memo = isRunMemo(noted) ? noted : undefined;
  const { name } = found.status;
  const tenant = found.typedSearchAttributes.get(TENANT);
  return {
    // An execution that continued as new is followed by an open one, if not yet at this moment.
    open: name === 'RUNNING' || name === 'PAUSED' || name === 'CONTINUED_AS_NEW',
    status: listedStatus(found, memo),
    workflowType: found.type,
    executionId: found.runId,
    firstExecutionId: found.raw.firstRunId || found.runId,
    events: found.historyLength,
    ...(tenant !== undefined && { tenant }),
    ...(memo && { memo }),
  };
}

async function describe(
  { temporal, namespace }: ClientContext,
  workflowId: string,
  limit: WaitLimit,
  runId: string | undefined,
): Promise<WorkflowExecutionInfo['raw']> {
  const execution = { workflowId, ...(runId !== undefined && { runId }) };
  const { workflowExecutionInfo } = await limit.retrying(() =>
    temporal.workflowService.describeWorkflowExecution({ namespace, execution }),
  );
  return workflowExecutionInfo ?? {};
}

/** A memo is written by the run, but anything may stand there after a mistake; then it is as if absent. */
export function isRunMemo(value: unknown): value is RunMemo {
  return (
    isRecord(value) &&
    typeof value['status'] === 'string' &&
    typeof value['runId'] === 'string' &&
    Array.isArray(value['requests'])
  );
}
