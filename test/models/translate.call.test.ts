import { defineTool, relayTool } from '../../src/tools';
import { createToolkit } from '../../src/tools/toolkit';
import { NO_USAGE, type Model } from '../../src/agent/model';
import { openaiModel } from '../../src/models/openai';
import { scriptedModel } from '../../src/testing/scripted-model';
import { translate } from '../../src/translate';
import { caught } from './caught';
import { LOOKUP } from './model-request';

const HELLO = [{ role: 'user' as const, content: 'Hello' }];

describe('R45: translate', () => {
  it('makes one provider call and gives its answer, arguments as raw strings, nothing run', async () => {
    const raw = '{ "order" :\t"1\\u0030" }';
    await using server = await scriptedModel([
      {
        toolCalls: [{ id: 'c1', name: 'lookup', arguments: raw }],
        finishReason: 'stop',
        usage: { promptTokens: 3, completionTokens: 4 },
        model: 'gpt-2',
      },
    ]);
    let ran = 0;
    const lookup = defineTool({ name: 'lookup', description: 'Looks up', execute: () => String((ran += 1)) });
    const turn = await translate(
      { baseURL: server.baseURL, model: 'gpt-test' },
      { system: 'Be brief', messages: HELLO, tools: [lookup], toolChoice: 'required', maxTokens: 9 },
    );
    expect(turn).toMatchObject({
      text: '',
      toolCalls: [{ id: 'c1', name: 'lookup', arguments: raw }],
      finishReason: 'tool_calls',
      usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
      model: 'gpt-2',
      raw: { choices: [{ finish_reason: 'stop' }] },
    });
    expect(ran).toBe(0);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.body).toStrictEqual({
      model: 'gpt-test',
      messages: [{ role: 'system', content: 'Be brief' }, ...HELLO],
      tools: [
        {
          type: 'function',
          function: { name: 'lookup', description: 'Looks up', parameters: lookup.inputSchema },
        },
      ],
      tool_choice: 'required',
      max_completion_tokens: 9,
    });
  });

  it('declares the tools of a toolkit, relay tools too, beside declarations', async () => {
    await using server = await scriptedModel([{ content: 'Hi' }]);
    const toolkit = createToolkit({ tools: [relayTool({ name: 'stock', description: 'Units in stock' })] });
    await translate({ baseURL: server.baseURL, model: 'm' }, { messages: HELLO, toolkit, tools: [LOOKUP] });
    expect(server.requests[0]?.body['tools']).toMatchObject([
      { function: { name: 'stock' } },
      { function: { name: 'lookup' } },
    ]);
  });

  it('takes any model, and says tool_calls where that model says stop beside calls', async () => {
    const model: Model = {
      generate: async ({ model: name }) => ({
        text: null,
        toolCalls: [{ name: 'lookup', arguments: '{}' }],
        finishReason: 'stop',
        usage: NO_USAGE,
        model: name,
      }),
    };
    expect(await translate(model, { model: 'm', messages: HELLO })).toStrictEqual({
      text: '',
      toolCalls: [{ id: 'call_1_0', name: 'lookup', arguments: '{}' }],
      finishReason: 'tool_calls',
      usage: NO_USAGE,
      model: 'm',
    });
  });

  it('R17: leaves tools out when there are none', async () => {
    await using server = await scriptedModel([{ content: 'Hi' }]);
    const turn = await translate(openaiModel({ baseURL: server.baseURL }), {
      model: 'm',
      messages: HELLO,
      tools: [],
      toolChoice: 'auto',
    });
    expect(turn).toMatchObject({ text: 'Hi', toolCalls: [], finishReason: 'stop' });
    expect(Object.keys(server.requests[0]?.body ?? {})).toStrictEqual(['model', 'messages']);
  });

  it.each([429, 500, 401])('does not repeat a %i', async (status) => {
    await using server = await scriptedModel([{ status }, { content: 'Hi' }]);
    const error = await caught(translate({ baseURL: server.baseURL, model: 'm' }, { messages: HELLO }));
    expect(error.data['status']).toBe(status);
    expect(server.requests).toHaveLength(1);
  });

  it('R19: gives every call an id, different from those of earlier turns', async () => {
    const call = { name: 'lookup', arguments: '{}' };
    await using server = await scriptedModel(() => ({
      toolCalls: [
        { ...call, id: '' },
        { ...call, id: 'x' },
        { ...call, id: 'x' },
      ],
    }));
    const target = { baseURL: server.baseURL, model: 'm' };
    const first = await translate(target, { messages: HELLO });
    expect(first.toolCalls.map((made) => made.id)).toStrictEqual(['call_1_0', 'x', 'call_1_2']);
    const later = [...HELLO, { role: 'assistant' as const, content: 'Yes?' }, ...HELLO];
    const second = await translate(target, { messages: later });
    expect(second.toolCalls.map((made) => made.id)).toStrictEqual(['call_2_0', 'x', 'call_2_2']);
  });

  it('tools that share a name are refused before any call', async () => {
    await using server = await scriptedModel([{ content: 'Hi' }]);
    const error = await caught(
      translate({ baseURL: server.baseURL, model: 'm' }, { messages: HELLO, tools: [LOOKUP, LOOKUP] }),
    );
    expect(error).toMatchObject({ type: 'Holdpoint.Tool.Clash', data: { names: ['lookup'] } });
    expect(server.requests).toHaveLength(0);
  });

  it('a model without a name is refused before any call', async () => {
    await using server = await scriptedModel([{ content: 'Hi' }]);
    const error = await caught(translate(openaiModel({ baseURL: server.baseURL }), { messages: HELLO }));
    expect(error.type).toBe('Holdpoint.Model.InvalidOptions');
    expect(server.requests).toHaveLength(0);
  });

  it('an abort reaches the call, and its reason comes back', async () => {
    await using server = await scriptedModel([{ hold: new Promise(() => undefined) }]);
    const controller = new AbortController();
    const reason = new Error('the caller left');
    const call = translate(
      { baseURL: server.baseURL, model: 'm' },
      { messages: HELLO },
      { signal: controller.signal },
    );
    const request = await server.waitForRequest(1);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await request.clientGone;
  });
});
