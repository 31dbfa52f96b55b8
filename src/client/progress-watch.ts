import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { RunEvent } from '../agent/event';
import { isRecord } from '../agent/json';
import { toProgress, type ProgressEvent } from '../agent/progress';
import type { ClientContext } from './client-context';
import { decodeHeartbeat } from './decode';
import type { EventReader } from './event-reader';
import type { RunTarget } from './ids';
import type { WaitLimit } from './wait-limit';

type Described = Awaited<ReturnType<Client['workflowService']['describeWorkflowExecution']>>;
type PendingActivity = Described['pendingActivities'][number];

const EACH_MS = 1_000;

/**
 * What a run's tool calls report while their reader waits for the next event. A worker keeps the last report of a
 * call in its heartbeats, and the server shows those of the activities that are under way, so that
 *
 * 1. nothing is written to the history, and nothing of the past is told,
 * 2. the server is asked once a second at most, and not at all while no tool call is under way.
 */
export class ProgressWatch {
  private lookedAt = 0;
  /** The last report of each call, by its activity, and by the execution that this is of. */
  private told = new Map<string, string>();
  private executionId: string | undefined;

  constructor(
    private readonly context: ClientContext,
    private readonly target: RunTarget,
    private readonly reader: EventReader,
  ) {}

  /** The run's next events, or what is reported before them; `undefined` when there are no more. */
  async next(limit: WaitLimit): Promise<readonly (RunEvent | ProgressEvent)[] | undefined> {
    const stop = new AbortController();
    let isRead = false;
    const reading = this.reader.next(limit.endedBy(stop.signal)).finally(() => (isRead = true));
    try {
      for (;;) {
        const read = await Promise.race([reading.then((events) => ({ events })), this.pause(stop.signal)]);
        if (read) return read.events;
        const reports = await this.look(limit);
        // What a call reported comes before its end or not at all.
        if (isRead) return await reading;
        if (reports.length > 0) {
          stop.abort();
          const events = await reading.catch(() => []);
          return events ? [...reports, ...events] : reports;
        }
      }
    } finally {
      stop.abort();
      reading.catch(() => undefined);
    }
  }

  private async pause(signal: AbortSignal): Promise<void> {
    const left = Math.max(0, this.lookedAt + EACH_MS - Date.now());
    await delay(Math.min(left, EACH_MS), undefined, { signal }).catch(() => undefined);
    this.lookedAt = Date.now();
  }

  private async look(limit: WaitLimit): Promise<ProgressEvent[]> {
    const { currentExecution: executionId, openCalls } = this.reader;
    if (executionId === undefined || openCalls.size === 0) return [];
    if (executionId !== this.executionId) this.told = new Map();
    this.executionId = executionId;
    const { temporal, namespace } = this.context;
    const execution = { workflowId: this.target.workflowId, runId: executionId };
    try {
      const { pendingActivities } = await limit.once(() =>
        temporal.workflowService.describeWorkflowExecution({ namespace, execution }),
      );
      const reports = await Promise.all((pendingActivities ?? []).map((activity) => this.reportOf(activity)));
      return reports.filter((report) => report !== undefined);
    } catch {
      // Best effort: whether the server is there is for the reading of events to say.
      return [];
    }
  }

  private async reportOf({
    activityId,
    heartbeatDetails,
  }: PendingActivity): Promise<ProgressEvent | undefined> {
    const call = this.reader.openCalls.get(activityId ?? '');
    if (!activityId || !call || !heartbeatDetails?.payloads?.length) return undefined;
    const { workflowId, runId } = this.target;
    const about = { workflowId, activityId };
    const details = await decodeHeartbeat(this.context, about, heartbeatDetails.payloads);
    const noted = isRecord(details) ? details['progress'] : undefined;
    const { progress, total, message, at } = isRecord(noted) ? noted : {};
    const report = toProgress(progress, total, message, typeof at === 'string' ? Date.parse(at) : NaN);
    const known = JSON.stringify(report);
    if (!report || this.told.get(activityId) === known) return undefined;
    this.told.set(activityId, known);
    return { type: 'progress', runId, turn: call.turn, callId: call.id, tool: call.name, ...report };
  }
}
