import type { RunEvent } from '../agent/event';
import { isRecord } from '../agent/json';
import type { ClientContext } from './client-context';
import { decodePayload } from './decode';
import { readFirstEvent } from './first-event';
import { continuedAs, continuedFrom, isClosing, type HistoryEvent } from './history-event';
import { LONG_POLL_MS } from './history-tail';
import { executionOf, HistoryEvents, type Decode, type OpenCall } from './history-events';
import type { RunTarget } from './ids';
import { readable } from './readable';
import { describeRun } from './run-description';
import type { WaitLimit } from './wait-limit';

export interface EventRange {
  /** Position of the last event that the caller has. */
  readonly after?: number;
  /** Wait for what comes next until the run has ended. */
  readonly follow: boolean;
}

/**
 * Reads a run's events from its own history, execution after execution of its chain. It asks no worker and writes
 * nothing to the history, however long it waits.
 */
export class EventReader {
  private readonly decode: Decode;
  private last: number;
  private executionId: string | undefined;
  private events: HistoryEvents | undefined;
  private token: Uint8Array | undefined;
  private done = false;

  constructor(
    private readonly context: ClientContext,
    private readonly target: RunTarget,
    private readonly range: EventRange,
  ) {
    this.decode = decoderFor(context, target);
    this.last = range.after ?? -1;
  }

  /** The execution that is being read; `undefined` before the first event. */
  get currentExecution(): string | undefined {
    return this.executionId;
  }

  /** The tool calls that are under way as far as it has been read, by their activities. */
  get openCalls(): ReadonlyMap<string, OpenCall> {
    return this.events?.openCalls ?? new Map();
  }

  /** The next events, at least one; `undefined` when there are no more. Repeating a call that failed loses nothing. */
  async next(limit: WaitLimit): Promise<readonly RunEvent[] | undefined> {
    while (!this.done) {
      this.executionId ??= await this.firstExecution(limit);
      const { events, next } = await this.readPage(this.executionId, limit);
      const found = await this.eventsOf(events);
      this.done = this.events?.hasEnded === true;
      if (next?.length) this.token = next;
      else if (!this.done) await this.endOfHistory(events.at(-1), limit);
      const fresh = found.filter(({ position }) => position > this.last);
      this.last = Math.max(this.last, ...fresh.map(({ position }) => position));
      if (fresh.length > 0) return fresh;
    }
    return undefined;
  }

  private async eventsOf(page: readonly HistoryEvent[]): Promise<RunEvent[]> {
    const found: RunEvent[] = [];
    try {
      for (const event of page) {
        this.events ??= await HistoryEvents.open(this.target.runId, event, this.decode);
        found.push(...(await this.events.next(event)));
      }
      return found;
    } catch (error) {
      // What was read of the page cannot be read again from its middle: the execution is, from its start.
      this.token = undefined;
      this.events = undefined;
      throw error;
    }
  }

  private async endOfHistory(last: HistoryEvent | undefined, limit: WaitLimit): Promise<void> {
    this.token = undefined;
    this.events = undefined;
    const following = last && continuedAs(last);
    if (following) this.executionId = following;
    else if (!this.range.follow || (last && isClosing(last))) this.done = true;
    // A server that keeps no reader's place, like the time-skipping one, is read again from the start.
    else await limit.pause(3);
  }

  private async readPage(runId: string, limit: WaitLimit) {
    const { temporal, namespace } = this.context;
    const { history, nextPageToken: next } = await limit.retrying(
      () =>
        temporal.workflowService.getWorkflowExecutionHistory({
          namespace,
          execution: { workflowId: this.target.workflowId, runId },
          waitNewEvent: this.range.follow,
          ...(this.token && { nextPageToken: this.token }),
        }),
      LONG_POLL_MS,
    );
    return { events: history?.events ?? [], next };
  }

  /** The execution that `after` is in; without it, the first one that the namespace still has. */
  private async firstExecution(limit: WaitLimit): Promise<string> {
    const { after } = this.range;
    const wanted = after === undefined ? 0 : executionOf(after);
    let { executionId } = await describeRun(this.context, this.target.workflowId, limit);
    const read = (runId: string) =>
      readFirstEvent(this.context, { workflowId: this.target.workflowId, runId }, limit);
    let first = await read(executionId);
    for (;;) {
      const previous = continuedFrom(first);
      if (!first || !previous || (await HistoryEvents.numberOf(first, this.decode)) <= wanted)
        return executionId;
      first = await read(previous);
      if (!first) return executionId;
      executionId = previous;
    }
  }
}

function decoderFor(context: ClientContext, target: RunTarget): Decode {
  return async (payloads, index) => {
    const value = readable(await decodePayload(context, target.workflowId, payloads, index), target);
    return isRecord(value) ? value : {};
  };
}
