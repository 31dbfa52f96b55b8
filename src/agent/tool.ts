import type { Json, JsonObject, JsonSchema } from './json';
import type { Agent } from './agent';
import type { Answer } from './answer';
import type { InputRound } from './input-round';
import type { RequestDraft } from './request';

/** What a tool does to the world. Unset means unknown, not false. */
export interface ToolHints {
  /** Changes nothing, so it may be repeated (R33). */
  readonly readOnly?: boolean;
  /** Cannot be undone: a person is asked when its outcome is unknown (R33). */
  readonly destructive?: boolean;
  /** A second time with the same arguments changes nothing more, so it may be repeated (R33). */
  readonly idempotent?: boolean;
  /** Reaches systems outside your own. For approvers to see; it changes nothing in a run. */
  readonly openWorld?: boolean;
}

/** Where a tool comes from. */
export type ToolSource = 'native' | 'custom' | 'relay' | 'builtin' | 'mcp' | 'agent';

/** What to do when nobody knows whether a call took effect (R33). */
export type UnknownOutcomePolicy = 'retry' | 'ask' | 'report';

/** The result of a call (R3). It is a suspension exactly when `metadata.pending` is a well-formed request. */
export interface ToolResult {
  /** What the model reads. */
  readonly output: string;
  /** The model is told that the call failed; the run goes on. */
  readonly isError: boolean;
  readonly metadata?: JsonObject;
}

/** One step of progress of a call; best effort. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * What `execute` receives (R7). Called directly through `tool.call` it holds a signal that never fires,
 * `timeoutMs` 0 and `attempt` 1, and the ids are undefined unless passed.
 */
export interface ToolContext {
  /** Aborts when the call's budget ends, or the run or ask is cancelled (R8). */
  readonly signal: AbortSignal;
  /** The model's id for this call (R19). */
  readonly callId: string | undefined;
  /** This call's budget in milliseconds; 0 when unset. */
  readonly timeoutMs: number;
  /** Present only on the execution that follows a suspension. */
  readonly answer: Answer | undefined;
  /** Present only on the execution that follows a round of questions (`suspendForRound`). */
  readonly round?: InputRound;
  /** The same across attempts, workers and re-executions of this call (R9). */
  readonly idempotencyKey: string | undefined;
  readonly runId: string | undefined;
  readonly conversationId: string | undefined;
  readonly agent: string | undefined;
  /** The number of the turn within the run, from 1. */
  readonly turn: number | undefined;
  /** 1 on the first execution of an attempt series. */
  readonly attempt: number;
  /** The JSON value given to `start`, `run` or `ask`; the model never sees it. */
  readonly context: Json | undefined;
  /** Tells those who watch how far the call is; best effort, and never part of its result. */
  readonly reportProgress: (progress: number, total?: number, message?: string) => void;
}

/** An outcome of a check: the value to use, or the sentence that says what was wrong. */
export type Checked<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Whether a call needs approval: always, or as the predicate says. Anything but `false` asks (R42). */
export type NeedsApproval<Args = JsonObject> =
  true | ((args: Args, ctx: ApprovalContext) => boolean | Promise<boolean>);

/** Who approves a tool's calls, and when they are reminded, counted from the model's reply. */
export interface ApprovalPolicy {
  /** Names and roles, one of which an approver must have. Absent: anybody who may answer at all. */
  readonly approvers?: readonly string[];
  /** How many people must approve. Default 1. */
  readonly quorum?: number;
  /** Milliseconds until those who may answer are reminded. */
  readonly remindAfterMs?: number;
  /** Milliseconds until `escalateTo` may answer, too. */
  readonly escalateAfterMs?: number;
  readonly escalateTo?: readonly string[];
}

/** What a `needsApproval` predicate knows beside the arguments. */
export interface ApprovalContext {
  readonly runId: string;
  readonly conversationId?: string;
  readonly agent: string;
  readonly turn: number;
  readonly callId: string;
  readonly context: Json | undefined;
}

/** Milliseconds that one execution may take where the tool says nothing. */
export const DEFAULT_TOOL_TIMEOUT_MS = 5 * 60_000;

/**
 * A tool as the rest of the product uses it: normalised, checked, its handler wrapped (R2).
 * `defineTool`, `relayTool` and `createToolkit` make these.
 */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** The schema that the provider is told. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly hints: ToolHints;
  /** Budget of one execution in milliseconds; 0 when unset, which is five minutes. */
  readonly timeoutMs: number;
  readonly exclusive: boolean;
  readonly onUnknownOutcome?: UnknownOutcomePolicy;
  readonly taskQueue?: string;
  readonly source: ToolSource;
  readonly needsApproval?: NeedsApproval;
  /** For relay tools and approvals: how long the request stays open, in milliseconds. */
  readonly expiresInMs?: number;
  /** Who decides about its approvals. */
  readonly approval?: ApprovalPolicy;
  /** The agent that works on its calls; only with `source` `agent`. */
  readonly agent?: Agent;
  /** Checks arguments against the tool's own schema and gives them as the handler takes them (R5). */
  readonly checkInput: (value: Json) => Checked<unknown>;
  /**
   * Checks an output that a host supplied, fully (R24). Absent where `outputSchema` already says all there is
   * to check, so that nothing is checked twice.
   */
  readonly checkOutput?: (value: Json) => Checked<unknown>;
  /** Runs the handler on checked arguments. Never throws. Absent for relay tools. */
  readonly execute?: (args: unknown, ctx: ToolContext) => Promise<ToolResult>;
  /** Checks and runs the tool directly, outside any run. Absent for relay tools. */
  readonly call?: (args: Json, ctx?: Partial<ToolContext>) => Promise<ToolResult>;
}

/** A result that went well. A string from `execute` is the same; this one takes metadata. */
export function okResult(output: string, metadata?: JsonObject): ToolResult {
  return { output, isError: false, ...(metadata && { metadata }) };
}

/** A result that tells the model of a failure, as a throw from `execute` does. */
export function errorResult(output: string, metadata?: JsonObject): ToolResult {
  return { output, isError: true, ...(metadata && { metadata }) };
}

/** A result that suspends the call until its request is answered (R4). */
export interface Suspension extends ToolResult {
  readonly metadata: { readonly pending: RequestDraft & JsonObject };
}
