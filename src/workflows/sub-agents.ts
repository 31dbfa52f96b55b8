/** Sub-agents as child workflows: their starts, their ends, and what runs and sub-agents tell each other. */
import { ApplicationFailure, CancelledFailure, ChildWorkflowFailure } from '@temporalio/common';
import {
  ChildWorkflowCancellationType,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { delegatedResult, type Delegation } from '../agent/delegation';
import { errorMessage } from '../agent/errors';
import { reportOf, type ChildReport } from '../agent/guests';
import { isRecord } from '../agent/json';
import { NO_USAGE, type Usage } from '../agent/model';
import type { RunOutcome } from '../agent/result';
import type { Forward, RunState } from '../agent/run-state';
import { errorResult, type ToolResult } from '../agent/tool';
import { MEMO_KEY, SIGNAL_CHILD_REPORT, SIGNAL_RUN_WITH_ANSWER, WORKFLOW_RUN } from '../agent/wire';
import { startAttributes } from './published';

export interface SubAgentEnd {
  readonly result: ToolResult;
  readonly usage: Usage;
}

/** Runs a sub-agent to its end. Never rejects. A run that ends or is cancelled takes its sub-agents with it. */
export async function runSubAgent(
  runId: string,
  delegation: Delegation,
  lists: 'full' | 'none',
): Promise<SubAgentEnd> {
  const { agent, tenant } = delegation;
  try {
    const child = await startChild<(input: Delegation) => Promise<RunOutcome>>(WORKFLOW_RUN, {
      workflowId: runId,
      args: [delegation],
      taskQueue: workflowInfo().taskQueue,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      memo: { [MEMO_KEY]: { status: 'running', runId: runId.slice(0, 250), change: 0, requests: [] } },
      ...(lists === 'full' && { typedSearchAttributes: startAttributes(agent, tenant) }),
    });
    const outcome = await child.result();
    return { result: delegatedResult(agent, outcome), usage: outcome.usage };
  } catch (error) {
    return endOf(agent, runId, error);
  }
}

function endOf(agent: string, runId: string, error: unknown): SubAgentEnd {
  const cause = error instanceof ChildWorkflowFailure ? error.cause : error;
  const metadata = { runId, status: 'failed' };
  if (cause instanceof CancelledFailure)
    return {
      result: errorResult(`agent ${agent} was cancelled`, { ...metadata, status: 'cancelled' }),
      usage: NO_USAGE,
    };
  const details = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  return {
    result: errorResult(`agent ${agent} failed: ${errorMessage(cause)}`, metadata),
    usage: isRecord(details) && isRecord(details['usage']) ? { ...NO_USAGE, ...details['usage'] } : NO_USAGE,
  };
}

/** What a run and its sub-agents tell each other. */
export class AgentMail {
  private forwarding = Promise.resolve();

  /** Accepted answers, one after the other: parts of an answer to one request must come in their order. */
  sendForwards(run: RunState): void {
    for (const forward of run.forwards?.splice(0) ?? [])
      this.forwarding = this.forwarding.then(() => sendForward(forward));
  }

  /** What a sub-agent waits on, for the run that called it. Without that run it has nobody to work for. */
  sendReport(run: RunState, seq: number, halted: boolean, onGone: () => void): void {
    if (!run.parent || run.endedAt !== undefined) return;
    getExternalWorkflowHandle(run.parent.workflowId)
      .signal<[ChildReport]>(SIGNAL_CHILD_REPORT, reportOf(run, seq, halted))
      .catch(onGone);
  }
}

/** A sub-agent that has ended meanwhile needs no answer: its end is on the way here, and is the call's result. */
async function sendForward({ childId, answer }: Forward): Promise<void> {
  await getExternalWorkflowHandle(childId)
    .signal(SIGNAL_RUN_WITH_ANSWER, answer, { forwarded: true })
    .catch(() => undefined);
}
