import type { Usage } from './model';
import type { RunStatus } from './run-state';

interface EventBase {
  /** Position in the run's stream, from 0. */
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

/** An event before the stream gave it its place. */
export type RunEventDraft = RunEvent extends infer E
  ? E extends RunEvent
    ? Omit<E, 'position' | 'runId'>
    : never
  : never;
