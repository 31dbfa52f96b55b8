import type { ErrorInfo } from './errors';

/** The way an answer came in. `call` is the in-process client; `cancel` closes what an ended run left open. */
export type AnswerChannel = 'signal' | 'update' | 'waitFor' | 'expiry' | 'cancel' | 'call';

/** What became of an accepted answer (R29). */
export interface Receipt {
  readonly requestId: string;
  readonly answerId?: string;
  readonly accepted: true;
  /** What the answer said. */
  readonly ok: boolean;
  /** True when the request is closed; false while some of its calls are still open (R23). */
  readonly resolved: boolean;
  /** Ids of the calls that this answer settled. */
  readonly settled: readonly string[];
  /** Ids of the request's calls that are still open. */
  readonly open: readonly string[];
  /** When the run accepted it, an ISO instant. */
  readonly at: string;
  readonly by?: string;
  readonly via: AnswerChannel;
  /** It came after the deadline, before the run's own timer, and won (R31). */
  readonly late?: true;
}

/** A refused answer that came by signal (R30). No value of its data is kept. */
export interface Rejection {
  readonly requestId?: string;
  readonly answerId?: string;
  readonly error: ErrorInfo;
  readonly at: string;
}
