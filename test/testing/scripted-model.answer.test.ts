import OpenAI, { APIConnectionError, APIError } from 'openai';
import { scriptedModel, type ScriptedModel, type ScriptedTurn } from '../../src/testing';
import { withScriptedModel } from '../support/with-scripted-model';

function ask(model: ScriptedModel, extra: { readonly signal?: AbortSignal } = {}) {
  const openai = new OpenAI({ baseURL: model.baseURL, apiKey: 'secret', maxRetries: 0 });
  return openai.chat.completions.create({ model: 'm-1', messages: [{ role: 'user', content: 'Hi' }] }, extra);
}

async function failureOf(turn: ScriptedTurn): Promise<unknown> {
  return withScriptedModel([turn], (model) => ask(model).catch((error: unknown) => error));
}

test('turns are answered in order, with the usage and finish reason of a real provider', async () => {
  const script: ScriptedTurn[] = [
    { toolCalls: [{ id: 'c1', name: 'look', arguments: { order: 1047 } }] },
    {
      content: 'Done.',
      usage: { promptTokens: 7, completionTokens: 3 },
      finishReason: 'length',
      model: 'm-2',
    },
  ];
  await withScriptedModel(script, async (model) => {
    const first = await ask(model);
    expect(first.model).toBe('m-1');
    expect(first.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"order":1047}' } }],
      },
    });
    const second = await ask(model);
    expect(second.model).toBe('m-2');
    expect(second.usage).toEqual({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
    expect(second.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'Done.' } });
    expect(second.choices[0]?.message.tool_calls).toBeUndefined();
  });
});

test('odd call ids and raw argument text pass through unchanged', async () => {
  const odd = [
    { id: '', name: 'a', arguments: '{"x": 1 }' },
    { id: 'same', name: 'b', arguments: 'not json' },
    { id: 'same', name: 'c', arguments: '' },
    { name: 'd', arguments: '{}' },
  ];
  await withScriptedModel([{ toolCalls: odd }], async (model) => {
    const calls = (await ask(model)).choices[0]?.message.tool_calls ?? [];
    const seen = calls.map((call) => (call.type === 'function' ? [call.id, call.function.arguments] : []));
    expect(seen).toEqual([
      ['', '{"x": 1 }'],
      ['same', 'not json'],
      ['same', ''],
      [undefined, '{}'],
    ]);
    expect(calls[3]).not.toHaveProperty('id');
  });
});

test('a function scripts each request from its body and index', async () => {
  await withScriptedModel(
    async (request, index) => ({ content: `${String(request.body.model)} ${index}` }),
    async (model) => {
      expect((await ask(model)).choices[0]?.message.content).toBe('m-1 0');
      expect((await ask(model)).choices[0]?.message.content).toBe('m-1 1');
    },
  );
});

test('every request is recorded with its body and headers', async () => {
  await withScriptedModel([{}], async (model) => {
    await ask(model);
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.body).toMatchObject({ messages: [{ role: 'user', content: 'Hi' }] });
    expect(model.requests[0]?.headers.authorization).toBe('Bearer secret');
  });
});

test.each([
  [401, {}],
  [429, { 'retry-after': '7' }],
  [500, {}],
])('status %i reaches the client with its headers and a body', async (status, headers) => {
  const error = await failureOf({ status, headers });
  if (!(error instanceof APIError)) throw error;
  expect(error.status).toBe(status);
  expect(error.message).toContain(`Scripted status ${status}`);
  for (const [name, value] of Object.entries(headers)) {
    expect((error as APIError<number, Headers>).headers.get(name)).toBe(value);
  }
});

test('a malformed body is a 200 that does not parse', async () => {
  const error = await failureOf({ malformed: '{"choices": [' });
  expect(String(error)).toMatch(/JSON/);
  expect(error).not.toBeInstanceOf(APIError);
});

test('empty choices are a completion without choices', async () => {
  await withScriptedModel([{ emptyChoices: true }], async (model) => {
    expect((await ask(model)).choices).toEqual([]);
  });
});

test('a cut connection ends in the middle of the body', async () => {
  await withScriptedModel([{ cut: true }], async (model) => {
    const response = await fetch(`${model.baseURL}/chat/completions`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });
});

test('a held turn is answered when its promise resolves, and its connection is cut when it rejects', async () => {
  const script: ScriptedTurn[] = [{ hold: Promise.resolve(), content: 'now' }, { hold: failsLater() }];
  await withScriptedModel(script, async (model) => {
    expect((await ask(model)).choices[0]?.message.content).toBe('now');
    await expect(ask(model)).rejects.toBeInstanceOf(APIConnectionError);
  });
});

test('a request past the end of the script is a 500 that says so', async () => {
  await withScriptedModel([{}], async (model) => {
    await ask(model);
    await expect(ask(model)).rejects.toThrow(/500.*script has 1 turns, and this is request 2/);
  });
});

test('a script that throws is a 500 with its message', async () => {
  const throws = (): never => {
    throw new Error('no such case');
  };
  await withScriptedModel(throws, async (model) => {
    await expect(ask(model)).rejects.toThrow(/500.*no such case/);
  });
});

test('a stream carries the same content, calls and usage as a plain answer', async () => {
  const turn: ScriptedTurn = {
    content: 'Looking',
    toolCalls: [
      { id: 'c1', name: 'look', arguments: { order: 1047 } },
      { id: 'c2', name: 'ask', arguments: '{}' },
    ],
    usage: { promptTokens: 5, completionTokens: 2 },
  };
  await withScriptedModel([turn], async (model) => {
    const openai = new OpenAI({ baseURL: model.baseURL, apiKey: 'none', maxRetries: 0 });
    const runner = openai.chat.completions.stream({
      model: 'm-1',
      messages: [{ role: 'user', content: 'Hi' }],
      stream_options: { include_usage: true },
    });
    const final = await runner.finalChatCompletion();
    expect(final.usage?.total_tokens).toBe(7);
    expect(final.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'Looking',
        tool_calls: [
          { id: 'c1', function: { name: 'look', arguments: '{"order":1047}' } },
          { id: 'c2', function: { name: 'ask', arguments: '{}' } },
        ],
      },
    });
  });
});

test('a test can wait for a request before it is answered, and see that its client left', async () => {
  await withScriptedModel([{ hold: new Promise(() => undefined) }], async (model) => {
    const abort = new AbortController();
    const asked = ask(model, { signal: abort.signal }).catch((error: unknown) => error);
    const request = await model.waitForRequest(1);
    abort.abort();
    await request.clientGone;
    await asked;
  });
});

test('closing the model fails who waits for a request that will not come', async () => {
  const model = await scriptedModel([]);
  const waiting = model.waitForRequest(1);
  await Promise.all([
    expect(waiting).rejects.toMatchObject({ type: 'Holdpoint.Testing.Stopped' }),
    model.close(),
  ]);
  await expect(model.waitForRequest(1)).rejects.toMatchObject({ type: 'Holdpoint.Testing.Stopped' });
});

test('a taken port is an error that names the port', async () => {
  await withScriptedModel([], async (model) => {
    const port = Number(new URL(model.baseURL).port);
    await expect(scriptedModel([], { port })).rejects.toMatchObject({
      type: 'Holdpoint.Server.PortTaken',
      message: expect.stringContaining(String(port)) as string,
    });
  });
});

async function failsLater(): Promise<never> {
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error('cut');
}
