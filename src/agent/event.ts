import type { Usage } from './model';
import type { Request } from './request';
import type { CallState, ReceiptRecord, RunState, RunStatus } from './run-state';
import type { ToolResult } from './tool';

/** @inline */
interface EventBase {
  /**
   * Place in the run's stream: it grows from event to event. In process it counts from 0; a durable run's has gaps.
   */
  readonly position: number;
  readonly runId: string;
  readonly parentRunId?: string;
  readonly parentCallId?: string;
  readonly turn: number;
  /** ISO instants. */
  readonly startedAt: string;
  readonly endedAt: string;
}

/** One entry of a run's event stream (R44). Values of arguments and results are not in it. */
export type RunEvent = EventBase &
  (
    | { readonly type: 'model'; readonly model: string; readonly usage: Usage; readonly finishReason: string }
    /** A suspended call is `pending: true`, `isError: false`: waiting is no failure (R43). */
    | {
        readonly type: 'tool';
        readonly callId: string;
        readonly name: string;
        readonly isError: boolean;
        readonly pending: boolean;
      }
    | {
        readonly type: 'request';
        readonly requestId: string;
        readonly kind: string;
        readonly callIds: readonly string[];
      }
    | {
        readonly type: 'answer';
        readonly requestId: string;
        readonly ok: boolean;
        readonly resolved: boolean;
        readonly via: string;
      }
    | { readonly type: 'run'; readonly status: RunStatus }
  );

/** `Omit` for each kind of event by itself, so that they stay apart. */
type EventWithout<Key extends keyof EventBase, E = RunEvent> = E extends RunEvent ? Omit<E, Key> : never;

/** An event before the stream gave it its place. */
export type RunEventDraft = EventWithout<'position' | 'runId'>;

/** An event of a known run, before the stream gave it its place. */
export type PlacelessEvent = EventWithout<'position'>;

/** An accepted answer as the run's events tell it. */
export function answerEvent({ receipt, turn }: ReceiptRecord): RunEventDraft {
  const { requestId, ok, resolved, via, at } = receipt;
  return { type: 'answer', turn, requestId, ok, resolved, via, startedAt: at, endedAt: at };
}

/** A request that has opened now, with the run's own calls that it is about. */
export function requestEvent(
  { turn }: RunState,
  { id: requestId, kind }: Request,
  callIds: readonly string[],
  now: number,
): RunEventDraft {
  const at = toInstant(now);
  return { type: 'request', turn, requestId, kind, callIds, startedAt: at, endedAt: at };
}

/** The end of a call that a sub-agent worked on. */
export function delegatedEvent(
  { turn }: RunState,
  { id: callId, name }: CallState,
  { isError }: ToolResult,
  { startedAt, endedAt }: { readonly startedAt: number; readonly endedAt: number },
): RunEventDraft {
  const times = { startedAt: toInstant(startedAt), endedAt: toInstant(endedAt) };
  return { type: 'tool', turn, callId, name, isError, pending: false, ...times };
}

/** The end of a run that has ended. */
export function endEvent({ turn, status, startedAt, endedAt = startedAt }: RunState): RunEventDraft {
  return { type: 'run', turn, status, startedAt: toInstant(startedAt), endedAt: toInstant(endedAt) };
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}
