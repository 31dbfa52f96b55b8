import type { Answer } from './answer';
import type { RunEventDraft } from './event';
import type { InputRound } from './input-round';
import type { Request } from './request';
import type { CallState, ModelReply, ReceiptRecord, RunState, ToolOutcome, Transcript } from './run-state';
import type { ToolResult } from './tool';

/** One execution that the loop asks its driver for. */
export interface ToolExecution {
  readonly call: CallState;
  readonly turn: number;
  /**
   * `run` executes the tool; `check` only puts edited arguments through the worker's checks (a relay
   * tool has nothing to run); `after` puts a host's `result` through them.
   */
  readonly mode: 'run' | 'check' | 'after';
  readonly result?: ToolResult;
  /** The answer to the tool's own suspension. */
  readonly answer?: Answer;
  /** The tool's last round of questions, answered. */
  readonly round?: InputRound;
  /** How often it may be attempted in all when an outcome is unknown (R33). */
  readonly attempts: 1 | 3;
}

/** What the worker's `waitFor` came to: an answer to check, or nothing within its time (R32). */
export type WaitForOutcome = { readonly is: 'answer'; readonly answer: unknown } | { readonly is: 'none' };

/** The loop's only way out: everything that has an effect, a clock or a duration (design, "One loop, two drivers"). */
export interface Port {
  /** Receipts of the conversation's earlier asks (R29). Default: none. */
  readonly earlier?: readonly ReceiptRecord[];
  /** Milliseconds since the epoch. */
  now(): number;
  /** Throws a HoldpointError when the run must fail, anything at all once `run.stop` is set. */
  callModel(run: RunState, transcript: Transcript): Promise<ModelReply>;
  /** Never rejects. Resolves within ten seconds of an abort. */
  callTool(run: RunState, transcript: Transcript, execution: ToolExecution): Promise<ToolOutcome>;
  /**
   * Starts a sub-agent's run for a call and gives its id. When that has ended, the driver calls `takeDelegated`, within
   * ten seconds of an abort.
   */
  delegate(run: RunState, transcript: Transcript, call: CallState): string;
  /** Cancels the sub-agents at work: the run is about to stop. */
  recall(): void;
  /** Rejects when the host's function threw. */
  waitFor(run: RunState, request: Request): Promise<WaitForOutcome>;
  /** The request was answered another way: stop asking. */
  dropWaitFor(requestId: string): void;
  /** Resolves at the next change from outside: an answer, a message, a stop. */
  changed(): Promise<void>;
  /** Active time starts or stops counting against `limits.timeoutMs` (R36). */
  setActive(run: RunState, active: boolean): void;
  /** Between turns with nothing in flight: true makes the loop return `yielded`. */
  shouldYield(run: RunState, transcript: Transcript): boolean;
  report(run: RunState, event: RunEventDraft): void;
}
