import type { JsonObject } from '../agent/json';
import type { MessageTurn, ScriptedToolCall } from './scripted-turn';

/** Numbers the answer, so that ids and chunks of two answers differ. */
export interface CompletionHead {
  readonly index: number;
  /** The model that the request names. */
  readonly model: string;
  readonly createdAt: Date;
}

/** The body of a chat completion, as OpenAI sends it. */
export function toCompletion(turn: MessageTurn, head: CompletionHead): JsonObject {
  const calls = turn.toolCalls ?? [];
  return {
    ...envelope(turn, head, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: contentOf(turn),
          refusal: turn.refusal ?? null,
          ...(calls.length === 0 ? {} : { tool_calls: calls.map(toToolCall) }),
        },
        logprobs: null,
        finish_reason: finishReasonOf(turn),
      },
    ],
    ...(turn.usage === false ? {} : { usage: usageOf(turn) }),
  };
}

/** The same answer as stream chunks; content and arguments come in two pieces each, as from a real provider. */
export function toCompletionChunks(
  turn: MessageTurn,
  head: CompletionHead,
  withUsage: boolean,
): JsonObject[] {
  const base = envelope(turn, head, 'chat.completion.chunk');
  const chunk = (delta: JsonObject, finishReason: string | null = null): JsonObject => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  });
  const content = contentOf(turn);
  const chunks = [chunk({ role: 'assistant', content: content === null ? null : '' })];
  for (const piece of halves(content ?? '')) chunks.push(chunk({ content: piece }));
  if (turn.refusal !== undefined) chunks.push(chunk({ refusal: turn.refusal }));
  for (const [index, call] of (turn.toolCalls ?? []).entries()) {
    const whole = toToolCall(call);
    const named = { ...whole, function: { name: call.name, arguments: '' } };
    chunks.push(chunk({ tool_calls: [{ index, ...named }] }));
    for (const piece of halves(argumentsOf(call))) {
      chunks.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  chunks.push(chunk({}, finishReasonOf(turn)));
  if (withUsage && turn.usage !== false) chunks.push({ ...base, choices: [], usage: usageOf(turn) });
  return chunks;
}

/** A completion without choices, which some gateways send when they are overloaded. */
export function toEmptyCompletion(head: CompletionHead): JsonObject {
  return { ...envelope({}, head, 'chat.completion'), choices: [], usage: usageOf({}) };
}

function envelope(turn: MessageTurn, head: CompletionHead, object: string): JsonObject {
  const created = Math.floor(head.createdAt.getTime() / 1000);
  return { id: `chatcmpl-scripted-${head.index}`, object, created, model: turn.model ?? head.model };
}

function contentOf(turn: MessageTurn): string | null {
  if (turn.content !== undefined) return turn.content;
  return turn.refusal === undefined && (turn.toolCalls ?? []).length === 0 ? '' : null;
}

function finishReasonOf(turn: MessageTurn): string {
  return turn.finishReason ?? ((turn.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop');
}

function usageOf(turn: MessageTurn): JsonObject {
  const { promptTokens, completionTokens } = turn.usage || { promptTokens: 1, completionTokens: 1 };
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

function toToolCall(call: ScriptedToolCall): JsonObject {
  return {
    ...(call.id === undefined ? {} : { id: call.id }),
    type: 'function',
    function: { name: call.name, arguments: argumentsOf(call) },
  };
}

function argumentsOf(call: ScriptedToolCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
}
