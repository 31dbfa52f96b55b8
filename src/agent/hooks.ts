import type { Json, JsonObject } from './json';
import type { Message } from './message';
import type { ModelResponse } from './model';
import type { RequestDraft } from './request';
import type { ToolResult } from './tool';

/** What every hook knows of its place. */
export interface HookContext {
  readonly runId: string;
  readonly conversationId?: string;
  readonly agent: string;
  readonly turn: number;
  readonly context: Json | undefined;
}

/** What the hooks of a call know besides. */
export interface ToolHookContext extends HookContext {
  readonly callId: string;
  readonly tool: string;
}

/** What `beforeTool` may decide. Nothing, or `{}`, lets the call go on as it is. */
export type BeforeToolDecision =
  /** These arguments take the place of the model's. */
  | { readonly input: JsonObject }
  /** This is the result; the tool does not run. */
  | { readonly result: ToolResult }
  /** The call waits for an answer to this request before it may run. */
  | { readonly suspend: RequestDraft }
  | Readonly<Record<string, never>>;

/**
 * Hooks on the worker (R42). `beforeTool` runs in the model activity, once per call; its recorded outcome
 * is final. A hook of a call that throws makes an error result, and no hook repeats the model call.
 */
export interface Hooks {
  /** May replace the messages of this one provider request; the transcript is not changed. A throw fails the run. */
  readonly beforeModel?: (
    messages: readonly Message[],
    ctx: HookContext,
  ) =>
    | void
    | { readonly messages: readonly Message[] }
    | Promise<void | { readonly messages: readonly Message[] }>;
  /** Sees each reply, before its calls are looked at. A throw fails the run. */
  readonly afterModel?: (response: ModelResponse, ctx: HookContext) => void | Promise<void>;
  /** Sees a call's checked arguments, and may decide about it, before its tool or an approver does. */
  readonly beforeTool?: (
    input: JsonObject,
    ctx: ToolHookContext,
  ) => void | BeforeToolDecision | Promise<void | BeforeToolDecision>;
  /** Runs on the result, whoever gave it: tool, host or approver; never on a suspension. May replace it. */
  readonly afterTool?: (
    result: ToolResult,
    ctx: ToolHookContext & { readonly input: JsonObject },
  ) => void | ToolResult | Promise<void | ToolResult>;
}
