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

export interface ToolHookContext extends HookContext {
  readonly callId: string;
  readonly tool: string;
}

/** What `beforeTool` may decide. Nothing, or `{}`, lets the call go on as it is. */
export type BeforeToolDecision =
  | { readonly input: JsonObject }
  | { readonly result: ToolResult }
  | { readonly suspend: RequestDraft }
  | Readonly<Record<string, never>>;

/**
 * Hooks on the worker (R42). `beforeTool` runs in the model activity, once per call; its recorded outcome
 * is final. A hook that throws turns the call into an error result and never repeats the model call.
 */
export interface Hooks {
  /** May replace the messages of this one provider request; the transcript is not changed. */
  readonly beforeModel?: (
    messages: readonly Message[],
    ctx: HookContext,
  ) =>
    | void
    | { readonly messages: readonly Message[] }
    | Promise<void | { readonly messages: readonly Message[] }>;
  readonly afterModel?: (response: ModelResponse, ctx: HookContext) => void | Promise<void>;
  readonly beforeTool?: (
    input: JsonObject,
    ctx: ToolHookContext,
  ) => void | BeforeToolDecision | Promise<void | BeforeToolDecision>;
  /** Runs on the result, local or relayed, never on a suspension. May replace it. */
  readonly afterTool?: (
    result: ToolResult,
    ctx: ToolHookContext & { readonly input: JsonObject },
  ) => void | ToolResult | Promise<void | ToolResult>;
}
