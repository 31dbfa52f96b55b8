import type { ErrorInfo } from './errors';
import type { Json, JsonObject } from './json';
import type { LimitName } from './limits';
import type { Message } from './message';
import type { Usage } from './model';
import type { Receipt, Rejection } from './receipt';
import type { Request } from './request';
import type { RunState, StandingGrant } from './run-state';

/** One call of a run with its final result, or with its placeholder while the run is halted (R35). */
export interface ToolCallRecord {
  readonly id: string;
  readonly name: string;
  /** The arguments it ran with, parsed; the raw text where the model's JSON was malformed. */
  readonly args: Json;
  readonly output: string;
  readonly isError: boolean;
  /** While halted, `metadata.pending` is the request that the call waits on. */
  readonly metadata?: JsonObject;
}

/** What every result tells, whatever its status. Counts, usage and toolCalls cover the whole run (R35). */
export interface RunFacts {
  readonly runId: string;
  /** Durable runs only: the agent's name. Absent where only the end of the run is known. */
  readonly agent?: string;
  /** What the run's last turn said; "" when it said nothing. */
  readonly text: string;
  /** Present when the agent has an output schema and the run is done. */
  readonly output?: Json;
  /** The transcript, without the system prompt; in a conversation that of all its asks. */
  readonly messages: readonly Message[];
  /** One entry for each call, in the model's order. */
  readonly toolCalls: readonly ToolCallRecord[];
  readonly toolCallCount: number;
  /** Model calls. */
  readonly turns: number;
  readonly usage: Usage;
  /** The model that the provider says answered last. */
  readonly model: string;
  /** Accepted answers so far. */
  readonly receipts?: readonly Receipt[];
  /** Durable runs only: the last attempts to answer that were refused, at most 50. */
  readonly rejections?: readonly Rejection[];
  /** Durable runs only: the approvals of all calls of a tool that hold now. Absent when there are none. */
  readonly grants?: readonly StandingGrant[];
}

/** What only some statuses have: each result takes its own from here and has none of the others. */
interface StatusFields {
  readonly limit: LimitName;
  readonly pending: Request;
  readonly requests: readonly Request[];
  readonly error: ErrorInfo;
  readonly resume: SavedRun;
}

type Without<Names extends keyof StatusFields> = { readonly [Name in Names]?: never };

/** A run that ended with a message without calls. */
export interface DoneResult extends RunFacts, Without<keyof StatusFields> {
  readonly status: 'done';
}

/** A halted run: only answers can move it on. */
export interface PendingResult extends RunFacts, Without<'limit' | 'error'> {
  readonly status: 'pending';
  /** The first open request in call order. */
  readonly pending: Request;
  /** All open requests in call order. */
  readonly requests: readonly Request[];
  /** In process only: what `runWithAnswer` needs beside the messages (R46). Plain JSON. */
  readonly resume?: SavedRun;
}

/** A run that came to one of its limits (R36). */
export interface IncompleteResult extends RunFacts, Without<Exclude<keyof StatusFields, 'limit'>> {
  readonly status: 'incomplete';
  /** Which limit. `client.continue` goes on from here. */
  readonly limit: LimitName;
}

/** A run that was cancelled (R34). */
export interface CancelledResult extends RunFacts, Without<keyof StatusFields> {
  readonly status: 'cancelled';
}

/** A run that could not go on, and why. */
export interface FailedResult extends RunFacts, Without<Exclude<keyof StatusFields, 'error'>> {
  readonly status: 'failed';
  readonly error: ErrorInfo;
}

/**
 * What a run came to, or where it stands at a halt (R35). The status says which fields there are.
 *
 * ```ts
 * if (result.status === 'pending') show(result.pending.prompt);
 * else if (result.status === 'failed') log(result.error.type);
 * ```
 */
export type RunResult = DoneResult | PendingResult | IncompleteResult | CancelledResult | FailedResult;

/** A result while it is put together, when the compiler does not know that its fields are its status's. */
export type LooseResult = RunFacts & Partial<StatusFields> & Pick<RunResult, 'status'>;

/** The loop sets a status and its fields at one moment, and every record of a run holds both (R35). */
export function toResult(loose: LooseResult): RunResult {
  return loose as RunResult;
}

/** A halted in-process run as its caller keeps it. Its messages are the result's. */
export interface SavedRun {
  readonly run: RunState;
  /** The system prompt as the run resolved it. */
  readonly system?: string;
  /** Events reported so far. */
  readonly events: number;
}

/** A run's result as the engine carries it: neither messages nor tool outputs (R35). */
export type RunOutcome = Omit<
  LooseResult,
  'agent' | 'messages' | 'toolCalls' | 'resume' | 'receipts' | 'rejections' | 'grants'
>;
