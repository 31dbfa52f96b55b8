import type { JsonObject } from '../agent/json';

/** A tool call of a scripted answer. An `id` that is empty, repeated or left out is sent just so. */
export interface ScriptedToolCall {
  readonly id?: string;
  readonly name: string;
  /** A string is sent byte by byte, valid JSON or not; an object is serialised. */
  readonly arguments: string | JsonObject;
}

/** Tokens as a provider counts them. Default: 1 prompt and 1 completion token. */
export interface ScriptedUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

interface Timing {
  /** Waits this many milliseconds before answering. Default: 0. */
  readonly delayMs?: number;
  /** Waits for this promise before answering, or destroys the connection when it rejects. */
  readonly hold?: PromiseLike<unknown>;
}

/** An assistant message. */
export interface MessageTurn extends Timing {
  /** Default: null when there are tool calls, else the empty string. */
  readonly content?: string | null;
  readonly refusal?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** False leaves `usage` out. */
  readonly usage?: ScriptedUsage | false;
  /** Default: `tool_calls` when there are tool calls, else `stop`. */
  readonly finishReason?: string;
  /** Default: the model that the request names. */
  readonly model?: string;
}

/** An HTTP failure, such as a 429 with `headers: { 'retry-after': '2' }`. */
export interface StatusTurn extends Timing {
  readonly status: number;
  /** An object is sent as JSON. Default: an error object as OpenAI sends it. */
  readonly body?: string | JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Status 200 with this text in place of JSON. */
export interface MalformedTurn extends Timing {
  readonly malformed: string;
}

/** Status 200 with an empty list of choices. */
export interface EmptyChoicesTurn extends Timing {
  readonly emptyChoices: true;
}

/** Status 200 and half a body, then the connection is destroyed. */
export interface CutTurn extends Timing {
  readonly cut: true;
}

/** What the scripted model does with one request. */
export type ScriptedTurn = MessageTurn | StatusTurn | MalformedTurn | EmptyChoicesTurn | CutTurn;
