import { HoldpointError } from '../agent/errors';
import { isRecord, parseJson } from '../agent/json';
import type { FinishReason, ModelResponse, Usage } from '../agent/model';
import { statusError } from './model-error';

/** What is needed to read an answer. */
export interface AnswerContext {
  /** The model that was asked, where the answer names none. */
  readonly model: string;
  readonly secrets: readonly string[];
}

/**
 * Reads the body of an answer with status 200. Throws `Holdpoint.Model.InvalidResponse` for one that is no
 * chat completion; what the body said is not repeated in the error.
 */
export function toModelResponse(body: string, context: AnswerContext): ModelResponse {
  const completion = parseJson(body);
  if (!isRecord(completion)) throw invalid(`a body of ${body.length} characters that is no JSON object`);
  const choices: unknown = completion['choices'];
  if (!Array.isArray(choices) || choices.length === 0) {
    throwEmbeddedError(completion, context);
    throw invalid('no choices');
  }
  const choice: unknown = choices[0];
  const message = isRecord(choice) ? choice['message'] : undefined;
  if (!isRecord(choice) || !isRecord(message)) throw invalid('a choice without a message');
  const toolCalls = toToolCalls(message['tool_calls']);
  return {
    text: toText(message),
    toolCalls,
    finishReason: toFinishReason(choice['finish_reason'], toolCalls.length > 0),
    usage: toUsage(completion['usage']),
    model: typeof completion['model'] === 'string' ? completion['model'] : context.model,
    raw: completion,
  };
}

/** Gateways answer 200 with the failure of the provider behind them. */
function throwEmbeddedError(completion: Record<string, unknown>, { secrets }: AnswerContext): void {
  const { error } = completion;
  if (!isRecord(error)) return;
  const { code, type, message } = error;
  const status = Number(code);
  if (Number.isInteger(status) && status >= 400 && status < 600)
    throw statusError({ status, type, message: typeof message === 'string' ? message : '' }, secrets);
}

/** The content, its text parts joined; what the model refused with where it said nothing else. */
function toText({ content, refusal }: Record<string, unknown>): string | null {
  const text = typeof content === 'string' ? content : Array.isArray(content) ? joinParts(content) : null;
  return (text === null || text === '') && typeof refusal === 'string' ? refusal : text;
}

function joinParts(parts: readonly unknown[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if (!isRecord(part)) return '';
      const said = part['text'] ?? part['refusal'];
      return typeof said === 'string' ? said : '';
    })
    .join('');
}

function toToolCalls(calls: unknown): ModelResponse['toolCalls'] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) throw invalid('tool calls that are no list');
  return calls.map((call: unknown) => {
    const called = isRecord(call) ? call['function'] : undefined;
    const name = isRecord(called) ? called['name'] : undefined;
    if (!isRecord(call) || !isRecord(called) || typeof name !== 'string' || name === '')
      throw invalid('a tool call without a function name');
    const id = call['id'];
    return {
      ...(typeof id === 'string' && { id }),
      name,
      arguments: toArguments(called['arguments']),
    };
  });
}

/** The provider's string, byte for byte (R18). Some send an object, or nothing for a tool without arguments. */
function toArguments(given: unknown): string {
  if (typeof given === 'string') return given;
  return JSON.stringify(given ?? {});
}

/** `tool_calls` exactly where there are calls: providers say `stop` beside calls and the other way round. */
function toFinishReason(given: unknown, hasCalls: boolean): FinishReason {
  if (hasCalls) return 'tool_calls';
  const said = typeof given === 'string' && given !== '' ? given : 'stop';
  return said === 'tool_calls' || said === 'function_call' ? 'stop' : said;
}

function toUsage(usage: unknown): Usage {
  const counts = isRecord(usage) ? usage : {};
  const inputTokens = toCount(counts['prompt_tokens']);
  const outputTokens = toCount(counts['completion_tokens']);
  return {
    inputTokens,
    outputTokens,
    totalTokens: toCount(counts['total_tokens']) || inputTokens + outputTokens,
  };
}

function toCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

function invalid(what: string): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Model.InvalidResponse',
    `The model provider's answer is no chat completion: ${what}. Check that the base URL serves chat completions.`,
  );
}
