import { errorMessage, HoldpointError } from '../agent/errors';
import { isRecord } from '../agent/json';
import type { Message, SystemMessage } from '../agent/message';
import type { Model, ModelResponse, ToolDeclaration, Usage } from '../agent/model';

/** What a `generate` function is asked. */
export interface GenerateRequest {
  /** The system prompt first, where there is one. */
  readonly messages: readonly (SystemMessage | Message)[];
  readonly tools: readonly ToolDeclaration[];
  readonly signal: AbortSignal;
}

/** What it answers. Without `toolCalls` the run is done, and `content` is its text. */
export interface GenerateReply {
  readonly content?: string | null;
  readonly toolCalls?: readonly GenerateCall[];
  readonly usage?: Partial<Usage>;
}

/** One tool call of a reply. */
export interface GenerateCall {
  readonly id?: string;
  readonly name: string;
  /** The raw string, or an object that is serialised once and is then the raw string. Default `{}`. */
  readonly arguments?: string | object;
}

/** A model written as a function, for scripts and tests (R46). What it throws fails the run. */
export type Generate = (request: GenerateRequest) => GenerateReply | Promise<GenerateReply>;

/** The function as a model, called by this name in results. */
export function generateModel(generate: Generate, name: string): Model {
  return {
    generate: async ({ messages, tools, signal }) => {
      let reply: unknown;
      try {
        reply = await generate({ messages, tools, signal });
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof HoldpointError) throw error;
        throw new HoldpointError(
          'Holdpoint.Model.Failed',
          `\`generate\` failed: ${errorMessage(error)}`,
          {},
          { cause: error },
        );
      }
      return toModelResponse(reply, name);
    },
  };
}

function toModelResponse(reply: unknown, model: string): ModelResponse {
  if (!isRecord(reply)) throw invalid('Expected `generate` to return {content?, toolCalls?, usage?}.');
  const { content, toolCalls = [], usage } = reply;
  if (content !== undefined && content !== null && typeof content !== 'string')
    throw invalid('Expected the `content` that `generate` returned to be a string.');
  if (!Array.isArray(toolCalls))
    throw invalid('Expected the `toolCalls` that `generate` returned to be an array.');
  const calls = toolCalls.map(toCall);
  return {
    text: content ?? null,
    toolCalls: calls,
    finishReason: calls.length > 0 ? 'tool_calls' : 'stop',
    usage: toUsage(isRecord(usage) ? usage : {}),
    model,
  };
}

function toCall(call: unknown, at: number): ModelResponse['toolCalls'][number] {
  if (!isRecord(call) || typeof call['name'] !== 'string')
    throw invalid(`Expected \`toolCalls[${at}]\` that \`generate\` returned to be {id?, name, arguments?}.`);
  const { id, name, arguments: given } = call;
  return {
    ...(typeof id === 'string' && { id }),
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}),
  };
}

function toUsage(usage: Readonly<Record<string, unknown>>): Usage {
  const count = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : 0);
  const inputTokens = count(usage['inputTokens']);
  const outputTokens = count(usage['outputTokens']);
  return {
    inputTokens,
    outputTokens,
    totalTokens: count(usage['totalTokens']) || inputTokens + outputTokens,
  };
}

function invalid(message: string): HoldpointError {
  return new HoldpointError('Holdpoint.Model.InvalidResponse', message);
}
