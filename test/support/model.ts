import type { Model, ModelRequest, ModelResponse } from '../../src/agent/model';

type Call = ModelResponse['toolCalls'][number];

export const response = (text: string, toolCalls: readonly Call[] = []): ModelResponse => ({
  text,
  toolCalls,
  finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  model: 'm',
});

export interface RecordingModel {
  readonly model: Model;
  readonly requests: readonly ModelRequest[];
}

/** A model in this process that answers by `generate` and records what it was asked; `n` counts from 1. */
export function modelOf(
  generate: (request: ModelRequest, n: number) => ModelResponse | Promise<ModelResponse>,
): RecordingModel {
  const requests: ModelRequest[] = [];
  return { requests, model: { generate: async (request) => generate(request, requests.push(request)) } };
}

/** A model that calls one tool and, given its result, says `done`. */
export const callsOnce = (name: string, args = '{}'): RecordingModel =>
  modelOf(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? response('done') : response('', [{ id: 'c1', name, arguments: args }]),
  );
