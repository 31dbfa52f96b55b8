import type { ErrorInfo } from './errors';

/**
 * How an answer reached the run. `call` is the in-process client. The rest is nobody's answer: `policy` follows from an
 * earlier decision about all calls of a tool, `expiry` from a deadline, and `cancel` closes what an ended run left open.
 */
export type AnswerVia = 'signal' | 'update' | 'waitFor' | 'call' | 'policy' | 'expiry' | 'cancel';

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
  /** The name or role of the request's approvers by which they were let answer. */
  readonly as?: string;
  /** Where it was given, as whoever took it in says: `inbox`, `api`. */
  readonly channel?: string;
  readonly via: AnswerVia;
  /** Digest of the arguments that it decided about, for an approval. */
  readonly digest?: string;
  /** Digest of the arguments that it put in their place; the call's record has them whole. */
  readonly edited?: string;
  /** It gave the call's result in the tool's place, which did not run, or said what came of an interrupted call. */
  readonly supplied?: true;
  /** It was one vote of several, for arguments that somebody changed afterwards: it counts no more. */
  readonly voided?: true;
  /** It approves all calls of this tool in the run. */
  readonly allCallsOf?: string;
  /** It came after the deadline, before the run's own timer, and won (R31). */
  readonly late?: true;
}

/** One approval of several: nothing has run yet, and more must agree. */
export function isVoteReceipt({ ok, resolved, settled }: Receipt): boolean {
  return ok && !resolved && settled.length === 0;
}

/** A refused answer that came by signal (R30), or that an API refused. No value of its data is kept. */
export interface Rejection {
  readonly requestId?: string;
  readonly answerId?: string;
  readonly by?: string;
  readonly channel?: string;
  readonly error: ErrorInfo;
  readonly at: string;
}
