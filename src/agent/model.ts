import type { JsonSchema, Json } from './json';
import type { Message, SystemMessage } from './message';

/** A tool as the provider is told of it. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** Whether the model may, must not or must call a tool, or which one it must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** Tokens of one call or a whole run. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
  };
}

/** One request to a provider. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly (SystemMessage | Message)[];
  /** Left out of the provider's request when empty (R17). */
  readonly tools: readonly ToolDeclaration[];
  readonly toolChoice?: ToolChoice;
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** Asks the provider for JSON of this schema. */
  readonly outputSchema?: JsonSchema;
  readonly signal: AbortSignal;
}

/** Why a reply ended. A provider may have words of its own. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | (string & {});

/** What a provider replied. */
export interface ModelResponse {
  /** The assistant's content; null when the provider gave none. */
  readonly text: string | null;
  /** `arguments` is the provider's raw string. An id may be missing, empty or repeated (R19). */
  readonly toolCalls: readonly { readonly id?: string; readonly name: string; readonly arguments: string }[];
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** The model that the provider says answered. */
  readonly model: string;
  /** The provider's answer as it came, for `translate`. */
  readonly raw?: Json;
}

/**
 * A model provider. `generate` makes exactly one provider request and does not retry. For anything the
 * provider or the network did it throws a HoldpointError `Holdpoint.Model.…` (`Rejected` is final; `Failed`,
 * `TimedOut` and `InvalidResponse` are repeated, after `data.retryAfterMs` where that is set), and the
 * signal's reason once aborted.
 */
export interface Model {
  /** One provider request; see {@link Model} for what it throws. */
  generate(request: ModelRequest): Promise<ModelResponse>;
}
