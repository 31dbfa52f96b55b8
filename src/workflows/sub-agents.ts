/** Sub-agents as child workflows: their starts, their ends, and what runs and sub-agents tell each other. */
import { ApplicationFailure, CancelledFailure, ChildWorkflowFailure } from '@temporalio/common';
import {
  CancellationScope,
  ChildWorkflowCancellationType,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { canProceed } from '../agent/call-steps';
import { delegatedResult, type Delegation } from '../agent/delegation';
import { errorMessage } from '../agent/errors';
import { reportOf, type ChildReport } from '../agent/child-report';
import { isRecord, jsonSize } from '../agent/json';
import { NO_USAGE, type Usage } from '../agent/model';
import type { RunOutcome } from '../agent/result';
import type { Forward, ParentRef, RunState } from '../agent/run-state';
import { errorResult, type ToolResult } from '../agent/tool';
import { isUndecodable } from '../agent/undecodable';
import {
  MEMO_KEY,
  SIGNAL_CHILD_REPORT,
  SIGNAL_REVOKE,
  SIGNAL_RUN_WITH_ANSWER,
  WORKFLOW_RUN,
} from '../agent/wire';
import type { Children } from './children';
import { startAttributes } from './published';

export interface SubAgentEnd {
  readonly result: ToolResult;
  readonly usage: Usage;
}

/** Runs a sub-agent to its end. Rejects only where this worker cannot read how that was. A run that ends or is cancelled takes its sub-agents with it. */
export async function runSubAgent(
  runId: string,
  delegation: Delegation,
  children: Children,
  lists: 'full' | 'none',
): Promise<SubAgentEnd> {
  const { agent, tenant } = delegation;
  let outcome: RunOutcome;
  try {
    const child = await children.start(jsonSize(delegation), () =>
      startChild<(input: Delegation) => Promise<RunOutcome>>(WORKFLOW_RUN, {
        workflowId: runId,
        args: [delegation],
        taskQueue: workflowInfo().taskQueue,
        parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
        cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
        memo: { [MEMO_KEY]: { status: 'running', runId: runId.slice(0, 250), change: 0, requests: [] } },
        ...(lists === 'full' && { typedSearchAttributes: startAttributes(agent, tenant) }),
      }),
    );
    outcome = await child.result();
  } catch (error) {
    return endOf(agent, runId, error);
  }
  // It fails the workflow task, so that the run waits for a worker that can read it.
  if (isUndecodable(outcome))
    throw new Error(`How agent ${agent} ended cannot be read here. ${outcome.reason}`);
  return { result: delegatedResult(agent, outcome), usage: outcome.usage };
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

interface DueReport {
  readonly seq: number;
  readonly halted: boolean;
}

/**
 * What a run and its sub-agents tell each other. An execution that closes takes what it has not sent with it, so its
 * end waits for that.
 */
export class AgentMail {
  private forwarding = Promise.resolve();
  /** The last report that was asked for, while one is under way. */
  private due: DueReport | undefined;
  /** What the last report of this execution left open. */
  private told: ReadonlySet<string> | undefined;
  private readonly sending = new Set<Promise<void>>();

  /** Accepted answers, one after the other: parts of an answer to one request must come in their order. */
  sendForwards(run: RunState): void {
    for (const forward of run.forwards?.splice(0) ?? [])
      this.forwarding = this.track(this.forwarding.then(() => sendForward(forward)));
  }

  /**
   * What a sub-agent waits on, for the run that called it. Without that run it has nobody to work for. While a report
   * is under way, what changes goes into the next one: reports come in their order, and each has what is new alone.
   */
  sendReport(run: RunState, seq: number, halted: boolean, onGone: () => void): void {
    const { parent } = run;
    if (!parent || run.endedAt !== undefined) return;
    const isUnderWay = this.due !== undefined;
    this.due = { seq, halted };
    if (!isUnderWay) void this.track(this.sendReports(run, parent, this.due).catch(onGone));
  }

  private async sendReports(run: RunState, parent: ParentRef, first: DueReport): Promise<void> {
    for (let sent: DueReport | undefined, due = first; sent !== due && run.endedAt === undefined;) {
      // What was accepted meanwhile has not moved the run on yet.
      const halted = due.halted && !canProceed(run);
      const report = reportOf(run, due.seq, halted, this.told);
      this.told = new Set(run.requests.map(({ request }) => request.id));
      await inAnyCase(() =>
        getExternalWorkflowHandle(parent.workflowId).signal<[ChildReport]>(SIGNAL_CHILD_REPORT, report),
      );
      sent = due;
      due = this.due ?? due;
    }
    this.due = undefined;
  }

  /** True when there was nothing to wait for. */
  async sent(): Promise<boolean> {
    if (this.sending.size === 0) return true;
    await Promise.all(this.sending);
    return false;
  }

  private track(work: Promise<void>): Promise<void> {
    this.sending.add(work);
    void work.then(() => this.sending.delete(work));
    return work;
  }
}

/** A sub-agent that has ended meanwhile needs no answer: its end is on the way here, and is the call's result. */
async function sendForward(forward: Forward): Promise<void> {
  const child = getExternalWorkflowHandle(forward.childId);
  await inAnyCase(() =>
    'answer' in forward
      ? child.signal(SIGNAL_RUN_WITH_ANSWER, forward.answer, { forwarded: true })
      : child.signal(SIGNAL_REVOKE, forward.revoke),
  ).catch(() => undefined);
}

/** Handlers run in the workflow's own scope; what they have accepted is sent though that is cancelled. */
function inAnyCase(send: () => Promise<void>): Promise<void> {
  return CancellationScope.nonCancellable(send);
}
