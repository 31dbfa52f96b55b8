import { HoldpointError } from './agent/errors';
import { withCallIds } from './agent/ids';
import { isRecord, type Json } from './agent/json';
import type { Message, SystemMessage } from './agent/message';
import type { FinishReason, Model, ToolChoice, ToolDeclaration, Usage } from './agent/model';
import { openaiModel } from './models/openai';
import type { OpenAIModelOptions } from './models/openai-settings';
import { isSignal, unknownOptions } from './tools/option-checks';

/** Who is asked: a model, or options for OpenAI's chat completions with the model's name. */
export type TranslateTarget = Model | (OpenAIModelOptions & { readonly model: string });

/** What {@link translate} sends. Only `messages` is needed. */
export interface TranslateRequest {
  /** The whole conversation; the caller keeps it. */
  readonly messages: readonly (SystemMessage | Message)[];
  /** Declared to the model, never run. */
  readonly tools?: readonly ToolDeclaration[];
  /** Its tools are declared beside `tools`. */
  readonly toolkit?: { readonly tools: readonly ToolDeclaration[] };
  readonly toolChoice?: ToolChoice;
  /** Sent before the messages. */
  readonly system?: string;
  readonly maxTokens?: number;
  /** The model's name as its provider spells it. Default: the target's. */
  readonly model?: string;
}

const REQUEST: readonly (keyof TranslateRequest)[] = [
  'messages',
  'tools',
  'toolkit',
  'toolChoice',
  'system',
  'maxTokens',
  'model',
];

/** One call that the model asked for. `arguments` is the provider's raw string (R18). */
export interface TranslatedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** What the model said. */
export interface Translation {
  /** "" when the model said nothing. */
  readonly text: string;
  readonly toolCalls: readonly TranslatedCall[];
  /** `tool_calls` whenever there are calls, whatever the provider says. */
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** The model that the provider says answered. */
  readonly model: string;
  /** The provider's answer as it came, where the model gives it; `openaiModel` always does. */
  readonly raw?: Json;
}

/**
 * Makes exactly one provider call and gives its answer back: no loop, no execution, no state, no retries
 * (R45). For a caller that has a loop of its own.
 *
 * Throws the `Holdpoint.Model` types, `Holdpoint.Client.InvalidOptions`, `Holdpoint.Tool.Clash` for tools that
 * share a name, and the signal's reason once it aborts.
 *
 * ```ts
 * const turn = await translate({ model: 'gpt-5-mini' }, { messages: [{ role: 'user', content: 'Hi' }], tools });
 * for (const call of turn.toolCalls) await execute(call.name, JSON.parse(call.arguments));
 * ```
 */
export async function translate(
  target: TranslateTarget,
  request: TranslateRequest,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Translation> {
  refuseUnknown('the options', options, ['signal']);
  refuseUnknown('the request', request, REQUEST);
  const { signal = new AbortController().signal } = options;
  if (!isSignal(signal)) throw invalid('Expected `signal` of `translate` to be an AbortSignal.');
  const { messages, toolChoice, system, maxTokens } = request;
  const isList: boolean = Array.isArray(messages);
  if (!isList) throw invalid('Expected `messages` of `translate` to be an array.');
  const { provider, name } = toProvider(target);
  const response = await provider.generate({
    model: request.model ?? name,
    messages: system === undefined ? messages : [{ role: 'system', content: system }, ...messages],
    tools: declarations(request),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(maxTokens !== undefined && { maxTokens }),
    signal,
  });
  // The turn that this answer will be, so that ids made here differ from those of the turns before (R19).
  const turn = messages.filter((message) => message.role === 'assistant').length + 1;
  const toolCalls = withCallIds(response.toolCalls, turn).map(({ id, function: called }) => ({
    id,
    ...called,
  }));
  return {
    text: response.text ?? '',
    toolCalls,
    finishReason: toolCalls.length > 0 ? 'tool_calls' : response.finishReason,
    usage: response.usage,
    model: response.model,
    ...(response.raw !== undefined && { raw: response.raw }),
  };
}

function refuseUnknown(owner: string, given: unknown, known: readonly string[]): void {
  const problem = isRecord(given)
    ? unknownOptions(given, known, { owner: '`translate`' })
    : `Expected ${owner} of \`translate\` to be an object.`;
  if (problem !== undefined) throw invalid(problem);
}

function invalid(message: string): HoldpointError {
  return new HoldpointError('Holdpoint.Client.InvalidOptions', message);
}

function toProvider(target: TranslateTarget): { readonly provider: Model; readonly name: string } {
  const isObject: boolean = isRecord(target);
  if (!isObject) throw invalid('Expected whom `translate` asks to be a model or {model, baseURL?, …}.');
  if ('generate' in target) return { provider: target, name: '' };
  const { model, ...options } = target;
  return { provider: openaiModel(options), name: model };
}

/** Nothing of a tool but its declaration reaches the provider. */
function declarations({ tools = [], toolkit }: TranslateRequest): readonly ToolDeclaration[] {
  const all = [...(toolkit?.tools ?? []), ...tools];
  const names = all.map((tool) => tool.name);
  const clashes = [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].sort();
  if (clashes.length > 0)
    throw new HoldpointError(
      'Holdpoint.Tool.Clash',
      `Several tools are named ${clashes.join(', ')}. Give each a name of its own.`,
      { names: clashes },
    );
  return all.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}
