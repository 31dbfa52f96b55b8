import { ParentClosePolicy, startChild, workflowInfo } from '@temporalio/workflow';
import { shownRequest } from '../agent/run-result';
import type { OpenRequest, RunState } from '../agent/run-state';
import {
  endEventType,
  fittedEvent,
  notifyWorkflowId,
  webhookEventId,
  type WebhookEventDraft,
  type WebhookEventType,
} from '../agent/webhook-event';
import { WORKFLOW_NOTIFY } from '../agent/wire';

type About = Pick<WebhookEventDraft, 'requests' | 'text' | 'error'>;

/**
 * Tells the world outside what becomes of a run, where its worker has webhooks. Each event is a child workflow that is
 * not waited for and goes on when the run has ended; only its start is waited for, before the run ends or continues
 * as new.
 */
export class Notifications {
  private readonly starting = new Set<Promise<unknown>>();

  /** Requests that have opened. Each is told of once, whatever else the run still does. */
  tellOpen(run: RunState): void {
    const opened = run.requests.filter(({ told }) => !told);
    if (!isTold(run) || opened.length === 0) return;
    for (const open of opened) open.told = true;
    this.tell(run, 'run.pending', { requests: opened.map((open) => shownRequest(run, open)) });
  }

  tellRequests(
    run: RunState,
    type: 'request.reminder' | 'request.expired',
    requests: readonly OpenRequest[],
  ): void {
    if (!isTold(run)) return;
    for (const open of requests) this.tell(run, type, { requests: [shownRequest(run, open)] });
  }

  tellEnd(run: RunState): void {
    const type = endEventType(run.status);
    if (!isTold(run) || !type) return;
    this.tell(run, type, { text: run.text, ...(run.error && { error: run.error }) });
  }

  /** True when there was nothing to wait for. */
  async started(): Promise<boolean> {
    if (this.starting.size === 0) return true;
    await Promise.all(this.starting);
    return false;
  }

  private tell(run: RunState, type: WebhookEventType, about: About): void {
    const { workflowId, firstExecutionRunId, taskQueue } = workflowInfo();
    const { runId, agent, tenant, conversationId } = run;
    const n = run.events ?? 0;
    run.events = n + 1;
    const event = fittedEvent({
      type,
      id: webhookEventId(run.seed, n),
      at: new Date().toISOString(),
      run: {
        runId,
        workflowId,
        executionId: firstExecutionRunId,
        agent,
        ...(tenant !== undefined && { tenant }),
        ...(conversationId !== undefined && { conversationId }),
      },
      status: run.status,
      ...about,
    });
    const start = startChild(WORKFLOW_NOTIFY, {
      workflowId: notifyWorkflowId(runId, n),
      args: [event],
      taskQueue,
      parentClosePolicy: ParentClosePolicy.ABANDON,
    });
    // One of that name may be there: whoever erased the run and used its id again has been told enough.
    const settled = start.then(
      () => undefined,
      () => undefined,
    );
    this.starting.add(settled);
    void settled.then(() => this.starting.delete(settled));
  }
}

/** What a sub-agent waits on is told by the run that it surfaces on. */
function isTold(run: RunState): boolean {
  return run.notify === true && !run.parent;
}
