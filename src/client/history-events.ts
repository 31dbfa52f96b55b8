import type { Payload } from '@temporalio/common';
import type { PlacelessEvent, RunEvent, RunEventDraft } from '../agent/event';
import { isRecord } from '../agent/json';
import { NO_USAGE, type Usage } from '../agent/model';
import { isNotStartedType } from '../agent/not-started';
import type { RunStatus } from '../agent/run-state';
import { ACTIVITY_CALL_MODEL, ACTIVITY_CALL_TOOL, MEMO_KEY } from '../agent/wire';
import { isClosing, toMillis, type HistoryEvent } from './history-event';

type Fields = Record<string, unknown>;
/** Decodes one payload of a list (default: the first); `{}` for anything but an object. */
export type Decode = (payloads: Payload[] | null | undefined, index?: number) => Promise<Fields>;

/** A place is `execution * 1e9 + event * 100 + n`: executions of a chain from 0, events as the server counts them. */
const PER_EXECUTION = 1e9;
const PER_EVENT = 100;

/** The number, within its chain, of the execution that a place is in. */
export function executionOf(position: number): number {
  return Math.floor(position / PER_EXECUTION);
}

/** Reads the events of one run (R44) out of one execution's history, given from its first event on. */
export class HistoryEvents {
  private readonly calls = new Map<string, Call>();
  private turn = 0;
  /** The run's end was among the events so far. */
  hasEnded = false;
  /** A sub-agent's run says whose. */
  private parent: { readonly parentRunId?: string; readonly parentCallId?: string } = {};

  private constructor(
    private readonly runId: string,
    private readonly execution: number,
    private readonly startedAt: number,
    private readonly decode: Decode,
  ) {}

  static async open(runId: string, first: HistoryEvent, decode: Decode): Promise<HistoryEvents> {
    const carried = await carriedBy(first, decode);
    const { run } = carried;
    const startedAt = isRecord(run) ? Number(run['startedAt']) : toMillis(first.eventTime);
    const events = new HistoryEvents(runId, numberIn(carried), startedAt, decode);
    if (isRecord(run)) events.turn = Number(run['turn']);
    const { parent } = isRecord(run) ? run : await startedWith(first, decode);
    if (isRecord(parent))
      events.parent = { parentRunId: String(parent['runId']), parentCallId: String(parent['callId']) };
    return events;
  }

  /** How many executions of the chain came before the one that begins with this event. */
  static async numberOf(first: HistoryEvent, decode: Decode): Promise<number> {
    return numberIn(await carriedBy(first, decode));
  }

  /** The run's tool calls that the events so far leave under way, by the ids of their activities. */
  get openCalls(): ReadonlyMap<string, OpenCall> {
    const tools = [...this.calls.values()].filter(({ is }) => is === ACTIVITY_CALL_TOOL);
    return new Map(tools.map((call) => [call.activityId, call]));
  }

  /** What one event of the history says of the run; the events of a history in their order, each once. */
  async next(event: HistoryEvent): Promise<RunEvent[]> {
    const found = this.hasEnded ? [] : await this.read(event);
    const base = this.execution * PER_EXECUTION + Number(event.eventId) * PER_EVENT;
    return found.map((draft, n) => ({ ...draft, ...this.parent, position: base + n }));
  }

  private async read(event: HistoryEvent): Promise<PlacelessEvent[]> {
    if (event.activityTaskScheduledEventAttributes) return this.onScheduled(event);
    const endOf =
      event.activityTaskCompletedEventAttributes ??
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskCanceledEventAttributes;
    if (endOf) return this.onCallEnded(event, String(endOf.scheduledEventId));
    const memo = event.workflowPropertiesModifiedEventAttributes?.upsertedMemo?.fields?.[MEMO_KEY];
    if (memo) return this.onMemo(await this.decode([memo]));
    if (isClosing(event)) return this.onClosed(event);
    return [];
  }

  private async onScheduled(event: HistoryEvent): Promise<[]> {
    const { activityType, activityId, input } = event.activityTaskScheduledEventAttributes ?? {};
    const is = activityType?.name;
    if (is !== ACTIVITY_CALL_MODEL && is !== ACTIVITY_CALL_TOOL) return [];
    const { run, call } = await this.decode(input?.payloads);
    if (!isRecord(run) || run['runId'] !== this.runId) return [];
    this.turn = Number(run['turn']);
    const { id = '', name = '' } = isRecord(call) ? call : {};
    const startedAt = toMillis(event.eventTime);
    this.calls.set(String(event.eventId), {
      is,
      activityId: String(activityId),
      turn: this.turn,
      id: String(id),
      name: String(name),
      startedAt,
    });
    return [];
  }

  private async onCallEnded(event: HistoryEvent, scheduled: string): Promise<PlacelessEvent[]> {
    const call = this.calls.get(scheduled);
    if (!call) return [];
    this.calls.delete(scheduled);
    const { result } = event.activityTaskCompletedEventAttributes ?? {};
    const times = {
      turn: call.turn,
      startedAt: toIso(call.startedAt),
      endedAt: toIso(toMillis(event.eventTime)),
    };
    if (call.is === ACTIVITY_CALL_MODEL) {
      // A failed model call is no event of its own: the run's end says how it failed.
      if (!result) return [];
      const { model, usage, finishReason } = await this.decode(result.payloads);
      const used = isRecord(usage) ? { ...NO_USAGE, ...(usage as Partial<Usage>) } : NO_USAGE;
      return [
        this.of({
          type: 'model',
          ...times,
          model: String(model),
          usage: used,
          finishReason: String(finishReason),
        }),
      ];
    }
    const { applicationFailureInfo } = event.activityTaskFailedEventAttributes?.failure ?? {};
    // Another worker tries it.
    if (isNotStartedType(applicationFailureInfo?.type)) return [];
    const outcome = await this.decode(result?.payloads);
    const pending = ['suspended', 'round', 'asks'].includes(String(outcome['is']));
    const succeeded = isRecord(outcome['result']) && outcome['result']['isError'] === false;
    const { id: callId, name } = call;
    return [this.of({ type: 'tool', ...times, callId, name, isError: !pending && !succeeded, pending })];
  }

  private onMemo({ events }: Fields): PlacelessEvent[] {
    if (!Array.isArray(events)) return [];
    const own = events.filter((event) => isRecord(event) && event['runId'] === this.runId);
    this.hasEnded = own.some((event) => isRecord(event) && event['type'] === 'run');
    return own as PlacelessEvent[];
  }

  private async onClosed(event: HistoryEvent): Promise<PlacelessEvent[]> {
    this.hasEnded = true;
    const status = await this.statusOf(event);
    const endedAt = toIso(toMillis(event.eventTime));
    return [this.of({ type: 'run', turn: this.turn, status, startedAt: toIso(this.startedAt), endedAt })];
  }

  private async statusOf(event: HistoryEvent): Promise<RunStatus> {
    const completed = event.workflowExecutionCompletedEventAttributes;
    if (completed)
      return (await this.decode(completed.result?.payloads))['status'] === 'incomplete'
        ? 'incomplete'
        : 'done';
    return event.workflowExecutionCanceledEventAttributes ? 'cancelled' : 'failed';
  }

  private of(draft: RunEventDraft): PlacelessEvent {
    return { ...draft, runId: this.runId };
  }
}

/** A tool call that is under way. */
export interface OpenCall {
  readonly turn: number;
  readonly id: string;
  readonly name: string;
}

interface Call extends OpenCall {
  readonly is: string;
  readonly activityId: string;
  readonly startedAt: number;
}

/** What the execution before this one handed on; `{}` for the first of a chain. */
function carriedBy({ workflowExecutionStartedEventAttributes: started }: HistoryEvent, decode: Decode) {
  return decode(started?.input?.payloads, 1);
}

function startedWith({ workflowExecutionStartedEventAttributes: started }: HistoryEvent, decode: Decode) {
  return decode(started?.input?.payloads);
}

function numberIn({ execution }: Fields): number {
  return typeof execution === 'number' ? execution : 0;
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
