import type { JsonObject } from './json';

/** One tool call of an assistant message, as chat completions spell it. `arguments` is the raw string (R18). */
export interface ToolCallPart {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The system prompt, in requests to a provider. */
export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

/** What the user, or whoever speaks for them, says. */
export interface UserMessage {
  readonly role: 'user';
  /** Text, or content parts in the provider's format. */
  readonly content: string | readonly JsonObject[];
}

/** What the model says, and the calls that it makes. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly tool_calls?: readonly ToolCallPart[];
}

/** The result of a call; while the run is halted, the prompt of what the call waits on (R27). */
export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

/** One entry of a transcript. The system prompt is kept beside the transcript, never in it. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** The calls of a message; [] for any message without calls. */
export function toolCallsOf(message: Message | undefined): readonly ToolCallPart[] {
  return message?.role === 'assistant' ? (message.tool_calls ?? []) : [];
}

/** The transcript's form of a call's result. Worker and workflow build it alike, so its digest is the same. */
export function toolMessage(callId: string, output: string): ToolMessage {
  return { role: 'tool', tool_call_id: callId, content: output };
}
