import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openaiModel } from '../../src/models/openai';
import { freePort } from '../../src/testing/free-port';
import { scriptedModel, type Script } from '../../src/testing/scripted-model';
import { caught } from './caught';
import { completion, modelRequest } from './model-request';

/** One request to a server with this script: what it failed with, and how many requests it took. */
async function failureOf(script: Script, apiKey = 'sk-test-1') {
  await using server = await scriptedModel(script);
  const error = await caught(openaiModel({ baseURL: server.baseURL, apiKey }).generate(modelRequest()));
  return { error, requests: server.requests.length };
}

/** Runs `work` against an HTTP server that answers with `listener`. */
async function withServer<T>(listener: RequestListener, work: (baseURL: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('a failure status', () => {
  it.each([400, 401, 403, 404, 405, 413, 422, 451, 501])(
    'R37: %i is final, and carries status, type and code',
    async (status) => {
      const body = { error: { message: 'No such thing', type: 'invalid_request_error', code: 'no_thing' } };
      const { error, requests } = await failureOf([{ status, body }]);
      expect(error).toMatchObject({
        type: 'Holdpoint.Model.Rejected',
        data: { status, type: 'invalid_request_error', code: 'no_thing' },
      });
      expect(error.message).toContain(`${status} (no_thing): No such thing.`);
      expect(requests).toBe(1);
    },
  );

  it.each([408, 409, 429, 500, 502, 503, 504, 529])(
    'R37: %i may pass, and the provider’s package does not repeat it',
    async (status) => {
      const { error, requests } = await failureOf([{ status }, { content: 'Hi' }]);
      expect(error).toMatchObject({ type: 'Holdpoint.Model.Failed', data: { status, type: 'scripted' } });
      expect(requests).toBe(1);
    },
  );

  it.each([
    ['in seconds', { 'retry-after': '2' }, 2000],
    ['in milliseconds', { 'retry-after-ms': '150', 'retry-after': '2' }, 150],
  ])('R37: what the provider asks to wait, %s, is in the error', async (_title, headers, retryAfterMs) => {
    const { error } = await failureOf([{ status: 429, headers }]);
    expect(error.data['retryAfterMs']).toBe(retryAfterMs);
  });

  it('R37: an HTTP date to wait for is in the error as milliseconds', async () => {
    const at = new Date(Date.now() + 30_000).toUTCString();
    const { error } = await failureOf([{ status: 503, headers: { 'retry-after': at } }]);
    expect(error.data['retryAfterMs']).toBeGreaterThan(20_000);
    expect(error.data['retryAfterMs']).toBeLessThanOrEqual(30_000);
  });

  it.each([
    ['a body that is no JSON', '<html>Bad gateway</html>', 'Bad gateway'],
    ['an error that is a string', { error: 'model is loading' }, 'model is loading'],
    ['no body', '', '502'],
  ])('%s gives a readable error', async (_title, body, said) => {
    const { error } = await failureOf([{ status: 502, body }]);
    expect(error.message).toContain(said);
  });

  it('a page that a proxy sends does not fill the error', async () => {
    const { error } = await failureOf([{ status: 502, body: 'x'.repeat(100_000) }]);
    expect(error.message.length).toBeLessThan(1_000);
  });
});

describe('an answer that is none', () => {
  it.each([
    ['malformed JSON', { malformed: '{"choices": [' }],
    ['an empty body', { malformed: '' }],
    ['JSON that is no object', { malformed: '"hello"' }],
    ['a page', { status: 200, body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } }],
    ['empty choices', { emptyChoices: true as const }],
    ['no choices', { malformed: '{"object":"chat.completion"}' }],
    ['a choice without a message', { malformed: '{"choices":[{"index":0}]}' }],
    ['a choice that is null', { malformed: '{"choices":[null]}' }],
    ['a call without a function', completion({ content: null, tool_calls: [{ id: 'c' }] })],
    ['a call without a name', completion({ content: null, tool_calls: [{ function: { arguments: '{}' } }] })],
    ['calls that are no list', completion({ content: null, tool_calls: 'lookup' })],
  ])('%s is an InvalidResponse', async (_title, turn) => {
    const { error, requests } = await failureOf([turn]);
    expect(error.type).toBe('Holdpoint.Model.InvalidResponse');
    expect(requests).toBe(1);
  });

  it('R37: a failure that a gateway wraps in a 200 counts as its status', async () => {
    const body = { error: { code: 401, message: 'Bad key sk-abc123', type: 'auth' } };
    const { error } = await failureOf([{ status: 200, body }]);
    expect(error).toMatchObject({ type: 'Holdpoint.Model.Rejected', data: { status: 401, type: 'auth' } });
    expect(error.message).not.toContain('abc123');
  });
});

describe('no answer', () => {
  it('R37: a connection that is cut in the body is a transport error', async () => {
    const { error } = await failureOf([{ cut: true }]);
    expect(error.type).toBe('Holdpoint.Model.Failed');
    expect(error.data['status']).toBeUndefined();
  });

  it('R37: a connection that is cut before the headers is a transport error', async () => {
    const { error } = await failureOf([{ hold: Promise.reject(new Error('cut')) }]);
    expect(error.type).toBe('Holdpoint.Model.Failed');
    expect(error.data['status']).toBeUndefined();
  });

  it('a server that is not there is named, with what the socket said', async () => {
    const baseURL = `http://127.0.0.1:${await freePort()}/v1`;
    const error = await caught(openaiModel({ baseURL }).generate(modelRequest()));
    expect(error).toMatchObject({ type: 'Holdpoint.Model.Failed', data: { code: 'ECONNREFUSED' } });
    expect(error.message).toContain(baseURL);
    expect(error.message).toContain('ECONNREFUSED');
  });

  it.each<[string, RequestListener]>([
    ['before the headers', () => undefined],
    ['in the body', (_request, response) => void response.writeHead(200).write('{"choices":')],
  ])('a provider that hangs %s is given up at the timeout', async (_title, listener) => {
    const error = await withServer(listener, (baseURL) =>
      caught(openaiModel({ baseURL, timeoutMs: 1_000 }).generate(modelRequest())),
    );
    expect(error).toMatchObject({ type: 'Holdpoint.Model.TimedOut', data: { timeoutMs: 1_000 } });
  });
});

describe('an abort', () => {
  it('before the request throws the reason, and no request is made', async () => {
    await using server = await scriptedModel([{ content: 'Hi' }]);
    const reason = new Error('the run was cancelled');
    const model = openaiModel({ baseURL: server.baseURL });
    await expect(model.generate(modelRequest({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(server.requests).toHaveLength(0);
  });

  it('R8: during the request ends it at the server and throws the reason itself', async () => {
    await using server = await scriptedModel([{ hold: new Promise(() => undefined) }]);
    const controller = new AbortController();
    const reason = new Error('the run was cancelled');
    const model = openaiModel({ baseURL: server.baseURL });
    const call = model.generate(modelRequest({ signal: controller.signal }));
    const request = await server.waitForRequest(1);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await request.clientGone;
  });

  it('in the middle of the body throws the reason', async () => {
    const controller = new AbortController();
    const reason = new Error('the run was cancelled');
    await withServer(
      (_request, response) => {
        response.writeHead(200).write('{"choices":', () => controller.abort(reason));
      },
      async (baseURL) => {
        const call = openaiModel({ baseURL }).generate(modelRequest({ signal: controller.signal }));
        await expect(call).rejects.toBe(reason);
      },
    );
  });
});

describe('secrets', () => {
  it('R37: neither keys nor account ids are in the error, whatever the provider says', async () => {
    const message =
      'Incorrect API key provided: sk-proj-********wxyz in organization org-Ab12Cd34 (project proj_Zz99), ' +
      'header Bearer abc.def, configured my-configured-key.';
    const body = { error: { message, type: 'my-configured-key', code: 'org-Ab12Cd34' } };
    const { error } = await failureOf([{ status: 401, body }], 'my-configured-key');
    const shown = JSON.stringify({
      ...error,
      message: error.message,
      stack: error.stack,
      cause: error.cause,
    });
    for (const secret of ['wxyz', 'Ab12Cd34', 'Zz99', 'abc.def', 'my-configured-key'])
      expect(shown).not.toContain(secret);
    expect(error.message).toContain('Incorrect API key provided: ***');
  });
});
