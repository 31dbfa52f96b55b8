import type { ErrorInfo } from './errors';
import type { Json, JsonObject } from './json';
import type { LimitName } from './limits';
import type { Message } from './message';
import type { Usage } from './model';
import type { Receipt } from './receipt';
import type { Request } from './request';
import type { RunState, RunStatus } from './run-state';

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

/** What a run came to, or where it stands at a halt (R35). Counts, usage and toolCalls cover the whole run. */
export interface RunResult {
  readonly runId: string;
  readonly status: Exclude<RunStatus, 'running'>;
  /** What the run's last turn said; "" when it said nothing. */
  readonly text: string;
  /** Present when the agent has an output schema and the run is done. */
  readonly output?: Json;
  readonly messages: readonly Message[];
  readonly toolCalls: readonly ToolCallRecord[];
  readonly toolCallCount: number;
  readonly turns: number;
  readonly usage: Usage;
  readonly model: string;
  /** Exactly with status `incomplete`. */
  readonly limit?: LimitName;
  /** The first open request in call order, and all of them; only while pending. */
  readonly pending?: Request;
  readonly requests?: readonly Request[];
  readonly error?: ErrorInfo;
  /** Accepted answers so far. */
  readonly receipts?: readonly Receipt[];
  /** In process only, while pending: what `runWithAnswer` needs beside the messages (R46). Plain JSON. */
  readonly resume?: SavedRun;
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
export type RunOutcome = Omit<RunResult, 'messages' | 'toolCalls' | 'resume' | 'receipts'>;
