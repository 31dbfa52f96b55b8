import { isRecord, type JsonObject } from '../../agent/json';
import type { Message, SystemMessage } from '../../agent/message';
import type { Model } from '../../agent/model';
import { generateWithRetries } from '../../models/retry';
import type { SamplingContext } from './answerers';

/** Options of {@link sampleWith}. */
export interface SampleOptions {
  /** The model's name as its provider spells it. What a tool prefers is not looked at. */
  readonly model: string;
  /** The most tokens of one answer, whatever a tool asks for. Default 1,000. */
  readonly maxTokens?: number;
  /** Repeated requests after a failure that may pass. Default 2. */
  readonly retries?: number;
}

const DEFAULT_MAX_TOKENS = 1_000;
const STOP_REASONS: Readonly<Record<string, string>> = { stop: 'endTurn', length: 'maxTokens' };

/**
 * Makes the `sampling` of tools out of a model: one request for each that a tool makes, of texts alone and without any
 * tools. What it costs is in no run's usage.
 *
 * ```ts
 * agentTools({ tool, sampling: sampleWith(openaiModel(), { model: 'gpt-5-mini', maxTokens: 500 }) });
 * ```
 */
export function sampleWith(
  model: Model,
  { model: name, maxTokens: most = DEFAULT_MAX_TOKENS, retries = 2 }: SampleOptions,
): (params: JsonObject, about: Pick<SamplingContext, 'signal'>) => Promise<JsonObject> {
  return async (params, { signal }) => {
    const { systemPrompt, maxTokens, temperature, tools } = params;
    if (Array.isArray(tools) && tools.length > 0)
      throw new Error('The tool wants the model to have tools, which it is not given.');
    const system: SystemMessage[] =
      typeof systemPrompt === 'string' ? [{ role: 'system', content: systemPrompt }] : [];
    const response = await generateWithRetries(
      model,
      {
        model: name,
        messages: [...system, ...messagesOf(params['messages'])],
        tools: [],
        maxTokens: typeof maxTokens === 'number' && maxTokens > 0 ? Math.min(maxTokens, most) : most,
        ...(typeof temperature === 'number' && { temperature }),
        signal,
      },
      { retries },
    );
    return {
      role: 'assistant',
      content: { type: 'text', text: response.text ?? '' },
      model: response.model,
      stopReason: STOP_REASONS[response.finishReason] ?? response.finishReason,
    };
  };
}

function messagesOf(given: unknown): Message[] {
  if (!Array.isArray(given) || given.length === 0) throw new Error('The tool asks the model nothing.');
  return given.map((message: unknown) => {
    const { role, content } = isRecord(message) ? message : {};
    const text = textOf(content);
    return role === 'assistant' ? { role, content: text } : { role: 'user', content: text };
  });
}

function textOf(content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) => {
    const { type, text } = isRecord(block) ? block : {};
    if (type === 'text' && typeof text === 'string') return text;
    throw new Error('The tool asks the model about something that is no text.');
  });
  return texts.join('\n');
}
