import { cutText } from './cut-text';

/** Characters of a message: it goes along with every heartbeat. */
const MAX_MESSAGE = 500;

/** How far a call is, as its tool reported it. */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  /** When it was reported; an ISO instant. */
  readonly at: string;
}

/** What a tool call of a run reports while it is under way. It has no position: it is no part of the run's stream (R44). */
export interface ProgressEvent extends CallProgress {
  readonly type: 'progress';
  readonly runId: string;
  readonly turn: number;
  readonly callId: string;
  readonly tool: string;
}

/**
 * A tool's report, from whatever it gave; `undefined` for what says nothing. A report must not be able to harm its
 * call, and what is no JSON would.
 */
export function toProgress(
  progress: unknown,
  total: unknown,
  message: unknown,
  now: number,
): CallProgress | undefined {
  if (!isAmount(progress) || !Number.isFinite(now)) return undefined;
  return {
    progress,
    ...(isAmount(total) && { total }),
    ...(typeof message === 'string' && { message: cutText(message, MAX_MESSAGE) }),
    at: new Date(now).toISOString(),
  };
}

/** What a progress or a total may be. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
