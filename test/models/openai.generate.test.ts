import type { Message } from '../../src/agent/message';
import { openaiModel } from '../../src/models/openai';
import type { OpenAIModelOptions } from '../../src/models/openai-settings';
import { scriptedModel, type ScriptedModel, type Script } from '../../src/testing/scripted-model';
import { completion, LOOKUP, modelRequest } from './model-request';

let server: ScriptedModel;

async function modelFor(script: Script, options: OpenAIModelOptions = {}) {
  server = await scriptedModel(script);
  return openaiModel({ baseURL: server.baseURL, apiKey: 'sk-test-1', ...options });
}

afterEach(() => server.close());

describe('what is sent', () => {
  it('R17: without tools the body holds the model and the messages, and nothing else', async () => {
    const model = await modelFor([{ content: 'Hi' }]);
    await model.generate(modelRequest({ toolChoice: 'auto' }));
    expect(server.requests[0]?.body).toStrictEqual({
      model: 'gpt-test',
      messages: [{ role: 'user', content: 'Hello' }],
    });
  });

  it('R17: with tools it declares them and their choice, not strictly', async () => {
    const model = await modelFor([{ content: 'Hi' }]);
    await model.generate(
      modelRequest({
        tools: [LOOKUP],
        toolChoice: { tool: 'lookup' },
        maxTokens: 50,
        temperature: 0,
      }),
    );
    expect(server.requests[0]?.body).toStrictEqual({
      model: 'gpt-test',
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'lookup',
            description: 'Looks an order up',
            parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
          },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'lookup' } },
      max_completion_tokens: 50,
      temperature: 0,
    });
  });

  it('R18: a transcript goes back byte for byte, whatever the arguments look like', async () => {
    const raw = '{ "a" : "\\u00e9\\n\\/ \u2028",\t"b":1.0 , "b":2e3}\n';
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'שלום 👋' }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '', type: 'function', function: { name: 'lookup', arguments: raw } }],
      },
      { role: 'tool', tool_call_id: '', content: '' },
    ];
    const model = await modelFor([{ content: 'Hi' }]);
    await model.generate(modelRequest({ messages: [{ role: 'system', content: 'Be brief' }, ...messages] }));
    expect(server.requests[0]?.body['messages']).toStrictEqual([
      { role: 'system', content: 'Be brief' },
      ...messages,
    ]);
  });

  it('an assistant message that said nothing is sent in a form that providers take', async () => {
    const model = await modelFor([{ content: 'Hi' }]);
    await model.generate(modelRequest({ messages: [{ role: 'assistant', content: null, tool_calls: [] }] }));
    expect(server.requests[0]?.body['messages']).toStrictEqual([{ role: 'assistant', content: '' }]);
  });

  it('key, organization and headers go with the request', async () => {
    const model = await modelFor([{ content: 'Hi' }], {
      organization: 'org-1',
      headers: { 'x-team': 'refunds' },
    });
    await model.generate(modelRequest());
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer sk-test-1',
      'openai-organization': 'org-1',
      'x-team': 'refunds',
    });
  });
});

describe('what comes back', () => {
  it('R18: argument strings are the provider’s, byte for byte', async () => {
    const raw = '{ "a" : "\\u00e9\\n\\/ 👋 \u2028",\t"b":1.0 , "b":2e3}\n';
    const model = await modelFor([
      {
        toolCalls: [raw, '', 'not json', '{}'].map((text, at) => ({
          id: `c${at}`,
          name: 'lookup',
          arguments: text,
        })),
      },
    ]);
    const response = await model.generate(modelRequest({ tools: [LOOKUP] }));
    expect(response.toolCalls.map((call) => call.arguments)).toStrictEqual([raw, '', 'not json', '{}']);
  });

  it('R19: empty, repeated and missing ids are passed on as they came', async () => {
    const call = { name: 'lookup', arguments: '{}' };
    const model = await modelFor([
      { toolCalls: [{ ...call, id: '' }, { ...call, id: 'x' }, { ...call, id: 'x' }, call] },
    ]);
    const response = await model.generate(modelRequest({ tools: [LOOKUP] }));
    expect(response.toolCalls).toStrictEqual([
      { id: '', ...call },
      { id: 'x', ...call },
      { id: 'x', ...call },
      call,
    ]);
  });

  it('arguments that are an object are serialised, absent ones an empty object', async () => {
    const calls = [{ function: { name: 'a', arguments: { b: 1 } } }, { function: { name: 'a' } }];
    const model = await modelFor([completion({ content: null, tool_calls: calls })]);
    const response = await model.generate(modelRequest());
    expect(response.toolCalls.map((call) => call.arguments)).toStrictEqual(['{"b":1}', '{}']);
  });

  it.each([
    ['stop', 'tool_calls'],
    ['length', 'tool_calls'],
    ['', 'tool_calls'],
  ])('the finish reason beside calls is tool_calls where the provider says %p', async (said, expected) => {
    const model = await modelFor([
      { toolCalls: [{ id: 'c', name: 'a', arguments: '{}' }], finishReason: said },
    ]);
    expect((await model.generate(modelRequest())).finishReason).toBe(expected);
  });

  it.each([
    ['tool_calls', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['', 'stop'],
  ])('the finish reason without calls, where the provider says %p, is %p', async (said, expected) => {
    const model = await modelFor([{ content: 'Hi', finishReason: said }]);
    expect((await model.generate(modelRequest())).finishReason).toBe(expected);
  });

  it('usage and model are the provider’s', async () => {
    const model = await modelFor([
      { content: 'Hi', usage: { promptTokens: 7, completionTokens: 5 }, model: 'gpt-test-2' },
    ]);
    expect(await model.generate(modelRequest())).toMatchObject({
      text: 'Hi',
      usage: { inputTokens: 7, outputTokens: 5, totalTokens: 12 },
      model: 'gpt-test-2',
    });
  });

  it('missing usage counts as zero and a missing model as the one asked for', async () => {
    const model = await modelFor([
      { malformed: JSON.stringify({ choices: [{ message: { content: 'Hi' } }], usage: null }) },
    ]);
    expect(await model.generate(modelRequest())).toMatchObject({
      usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      model: 'gpt-test',
    });
  });

  it.each([
    [
      'text parts are joined',
      { content: [{ type: 'text', text: 'A' }, 'B', { type: 'image' }, { text: 'C' }] },
      'ABC',
    ],
    ['a refusal is the text where there is no content', { content: null, refusal: 'I cannot' }, 'I cannot'],
    ['a refusal beside content is not', { content: 'Hi', refusal: 'I cannot' }, 'Hi'],
    ['no content is null', { content: null, refusal: null }, null],
  ])('%s', async (_title, message, text) => {
    const model = await modelFor([completion(message)]);
    expect((await model.generate(modelRequest())).text).toBe(text);
  });

  it('the answer as it came is there, and its content type does not matter', async () => {
    const body = { choices: [{ message: { content: 'Hi' } }], extra: [1] };
    const model = await modelFor([
      { status: 200, body: JSON.stringify(body), headers: { 'content-type': 'text/plain' } },
    ]);
    expect((await model.generate(modelRequest())).raw).toStrictEqual(body);
  });
});
