import { z } from 'zod';
import type { Hooks } from '../../src/agent/hooks';
import { NO_USAGE, type ModelRequest, type ModelResponse } from '../../src/agent/model';
import { defineAgent, defineTool, relayTool, type AgentOptions } from '../../src/tools';
import { resolveInstructions } from '../../src/tools/instructions';
import { takeTurn, type TakeTurnOptions } from '../../src/tools/take-turn';
import { containing, matching } from '../support/matchers';

const lookup = defineTool({ name: 'lookup', description: 'Looks up', execute: () => 'found' });
const reply = (response: Partial<ModelResponse> = {}): ModelResponse => ({
  text: null,
  toolCalls: [],
  finishReason: 'stop',
  usage: NO_USAGE,
  model: 'm-2026',
  ...response,
});

function turnWith(
  response: Partial<ModelResponse>,
  agent: Partial<AgentOptions> = {},
  options: Partial<TakeTurnOptions> = {},
) {
  const generate = jest.fn<Promise<ModelResponse>, [ModelRequest]>(async () => reply(response));
  const turn = takeTurn({
    agent: defineAgent({ name: 'desk', model: 'm', ...agent }),
    transcript: [{ role: 'user', content: 'hi' }],
    run: { runId: 'run-1', turn: 4, context: { tenant: 't' } },
    signal: new AbortController().signal,
    generate,
    ...options,
  });
  return { turn, generate, request: () => generate.mock.calls[0]?.[0] };
}

describe('one turn', () => {
  test('R13: system first, then the transcript; the reply’s text is the message', async () => {
    const { turn, request, generate } = turnWith({ text: 'hello' }, {}, { system: 'Be kind.' });
    expect(await turn).toEqual({
      message: { role: 'assistant', content: 'hello' },
      routes: [],
      usage: NO_USAGE,
      model: 'm-2026',
      finishReason: 'stop',
    });
    expect(request()?.messages).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'hi' },
    ]);
    expect(generate).toHaveBeenCalledTimes(1);
  });

  test('R13: no content and no calls is an empty text, and no empty list of calls', async () => {
    expect((await turnWith({}).turn).message).toEqual({ role: 'assistant', content: '' });
  });

  test('R17: without tools neither tools nor a choice are sent', async () => {
    const { turn, request } = turnWith({}, { toolChoice: 'auto' });
    await turn;
    expect(request()?.tools).toEqual([]);
    expect(request()).not.toHaveProperty('toolChoice');
  });

  test('R17: ordinary and relay tools are declared alike, with the agent’s settings', async () => {
    const stock = relayTool({
      name: 'stock',
      description: 'Stock',
      inputSchema: z.object({ sku: z.string() }),
    });
    const { turn, request } = turnWith(
      {},
      { tools: [lookup, stock], toolChoice: 'required', maxTokens: 9, temperature: 0 },
    );
    await turn;
    expect(request()).toMatchObject({ model: 'm', toolChoice: 'required', maxTokens: 9, temperature: 0 });
    expect(request()?.tools).toEqual([
      { name: 'lookup', description: 'Looks up', inputSchema: { type: 'object', properties: {} } },
      {
        name: 'stock',
        description: 'Stock',
        inputSchema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
      },
    ]);
  });

  test('R18, R19: raw arguments stay byte for byte; empty and repeated ids are replaced everywhere', async () => {
    const raw = '{ "q" : "é\\u00e9" }';
    const call = { name: 'lookup', arguments: raw };
    const seen: string[] = [];
    const hooks: Hooks = { beforeTool: (_, { callId }) => void seen.push(callId) };
    const { turn } = turnWith(
      {
        toolCalls: [{ id: 'a', ...call }, { id: '', ...call }, { id: 'a', ...call }, call],
        finishReason: 'stop',
      },
      { tools: [lookup] },
      { hooks },
    );
    const { message, routes, finishReason } = await turn;
    expect(message.content).toBeNull();
    expect(message.tool_calls?.map((one) => one.id)).toEqual(['a', 'call_4_1', 'call_4_2', 'call_4_3']);
    expect(new Set(message.tool_calls?.map((one) => one.function.arguments))).toEqual(new Set([raw]));
    expect(seen.sort()).toEqual(['a', 'call_4_1', 'call_4_2', 'call_4_3']);
    expect(routes).toHaveLength(4);
    expect(finishReason).toBe('tool_calls');
  });

  test('R32: the worker’s waitFor is told to the run', async () => {
    expect(await turnWith({}, {}, { waitFor: { timeoutMs: 5 } }).turn).toMatchObject({
      waitFor: { timeoutMs: 5 },
    });
  });

  test('R42: beforeModel may replace the messages of this request; afterModel sees the response', async () => {
    const transcript = [{ role: 'user' as const, content: 'card 4111' }];
    const afterModel = jest.fn();
    const beforeModel = jest.fn(() => ({ messages: [{ role: 'user' as const, content: 'card ****' }] }));
    const { turn, request } = turnWith(
      { text: 'ok' },
      {},
      { transcript, hooks: { beforeModel, afterModel }, system: 's' },
    );
    await turn;
    const ctx = { runId: 'run-1', agent: 'desk', turn: 4, context: { tenant: 't' } };
    expect(beforeModel).toHaveBeenCalledWith(transcript, ctx);
    expect(request()?.messages).toEqual([
      { role: 'system', content: 's' },
      { role: 'user', content: 'card ****' },
    ]);
    expect(transcript).toEqual([{ role: 'user', content: 'card 4111' }]);
    expect(afterModel).toHaveBeenCalledWith(reply({ text: 'ok' }), ctx);
  });

  test.each<[string, Hooks]>([
    [
      'beforeModel',
      {
        beforeModel: () => {
          throw new Error('down');
        },
      },
    ],
    ['beforeModel', { beforeModel: (() => ({ messages: 'none' })) as never }],
    ['afterModel', { afterModel: () => Promise.reject(new Error('down')) }],
  ])(
    'R42: a failing %s fails the turn with its name, and the model is not called again',
    async (name, hooks) => {
      const { turn, generate } = turnWith({}, {}, { hooks });
      await expect(turn).rejects.toMatchObject({
        type: 'Holdpoint.Run.Failed',
        message: containing(name),
      });
      expect(generate.mock.calls.length).toBe(name === 'afterModel' ? 1 : 0);
    },
  );

  test('R34: what generate throws passes through', async () => {
    const reason = new Error('aborted');
    const generate = () => Promise.reject(reason);
    await expect(turnWith({}, {}, { generate }).turn).rejects.toBe(reason);
  });
});

describe('an agent’s output schema', () => {
  const outputSchema = z.object({ total: z.number() });

  test('R35: the final text is parsed; a turn with calls has no output yet', async () => {
    const { turn, request } = turnWith({ text: '{"total":3,"more":1}' }, { outputSchema });
    expect((await turn).output).toEqual({ total: 3 });
    expect(request()?.outputSchema).toMatchObject({ type: 'object', required: ['total'] });
    const calling = turnWith(
      { text: 'looking', toolCalls: [{ name: 'lookup', arguments: '{}' }] },
      { outputSchema, tools: [lookup] },
    );
    expect(await calling.turn).not.toHaveProperty('output');
  });

  test.each([
    ['no JSON', 'three', 'stop', /not valid JSON/],
    ['another shape', '{"total":"3"}', 'stop', /`total`/],
    ['a cut text', '{"total":', 'length', /token limit/],
  ])('R35: %s is OutputInvalid', async (_, text, finishReason, message) => {
    await expect(turnWith({ text, finishReason }, { outputSchema }).turn).rejects.toMatchObject({
      type: 'Holdpoint.Run.OutputInvalid',
      message: matching(message),
    });
  });
});

describe('instructions', () => {
  const resolve = (instructions: AgentOptions['instructions']) =>
    resolveInstructions(
      defineAgent({ name: 'desk', model: 'm', ...(instructions !== undefined && { instructions }) }),
      { runId: 'run-1', context: { tenant: 't' } },
    );

  test('a text, none, or what a function makes of the run', async () => {
    expect(await resolve('Be kind.')).toBe('Be kind.');
    expect(await resolve(undefined)).toBeUndefined();
    expect(await resolve('')).toBeUndefined();
    expect(await resolve(async (ctx) => JSON.stringify(ctx))).toBe(
      '{"runId":"run-1","context":{"tenant":"t"},"agent":"desk"}',
    );
  });

  test('a function that throws or gives no text fails with the agent’s name', async () => {
    const failure = {
      type: 'Holdpoint.Run.Failed',
      message: containing('instructions of agent desk'),
    };
    await expect(
      resolve(() => {
        throw new Error('no tenant');
      }),
    ).rejects.toMatchObject(failure);
    await expect(resolve((() => 5) as never)).rejects.toMatchObject(failure);
  });
});
