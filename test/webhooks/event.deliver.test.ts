import { createServer } from 'node:net';
import { deliver, type DeliveryOptions } from '../../src/webhooks/deliver';
import { NEXT_SECRET, SECRET } from './events';
import { openReceiver, serve, verified, type ReceiverAnswer } from './receiver';

const allow = ['127.0.0.1:*'];
const event = { webhookId: 'msg_1', body: '{"type":"run.done","text":"Erledigt: 3 × 4 €"}' };

/** One attempt against a receiver that answers so. */
async function attempt(answer: ReceiverAnswer, secrets: readonly string[] = [SECRET]) {
  const receiver = await openReceiver([answer]);
  try {
    const outcome = await deliver({ url: receiver.url, secrets }, event, { allow });
    return { outcome, received: receiver.received };
  } finally {
    await receiver.close();
  }
}

const toUrl = (url: string, options: DeliveryOptions = {}) =>
  deliver({ url, secrets: [SECRET] }, event, { allow, ...options });

test('a receiver gets the body as it was signed, as JSON', async () => {
  const { outcome, received } = await attempt({ status: 200, body: 'ok' }, [NEXT_SECRET, SECRET]);
  expect(outcome).toEqual({ is: 'delivered', status: 200 });
  const [request] = received;
  if (!request) throw new Error('nothing came');
  expect(request.body).toBe(event.body);
  expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'msg_1' });
  expect(verified(request, SECRET)).toEqual(verified(request, NEXT_SECRET));
});

test.each([200, 201, 202, 204, 299])('%i is success', async (status) => {
  const { outcome } = await attempt({ status });
  expect(outcome).toEqual({ is: 'delivered', status });
});

test.each([300, 304, 400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 502, 503, 504])(
  '%i is tried again',
  async (status) => {
    const { outcome } = await attempt({ status });
    expect(outcome).toMatchObject({ is: 'retry' });
  },
);

test('410 ends the matter', async () => {
  const { outcome } = await attempt({ status: 410 });
  expect(outcome).toEqual({ is: 'drop', reason: 'it answered 410: it wants no more events' });
});

test('what the receiver asks for in Retry-After is handed on', async () => {
  const { outcome } = await attempt({ status: 503, headers: { 'retry-after': '120' } });
  expect(outcome).toEqual({ is: 'retry', reason: 'it answered 503', retryAfter: '120' });
});

test('a receiver that is not there is tried again', async () => {
  const receiver = await openReceiver();
  await receiver.close();
  await expect(toUrl(receiver.url)).resolves.toEqual({
    is: 'retry',
    reason: 'the connection failed (ECONNREFUSED)',
  });
});

test('a name that cannot be resolved is tried again, and not shown', async () => {
  const resolve = () =>
    Promise.reject(Object.assign(new Error('ENOTFOUND hooks.test'), { code: 'ENOTFOUND' }));
  await expect(toUrl('https://hooks.test/', { resolve })).resolves.toEqual({
    is: 'retry',
    reason: 'the connection failed (ENOTFOUND)',
  });
});

test('what answers something else than TLS is tried again', async () => {
  const receiver = await openReceiver();
  try {
    const outcome = await toUrl(receiver.url.replace('http:', 'https:'));
    expect(outcome).toMatchObject({
      is: 'retry',
      reason: expect.stringMatching(/^the connection failed/) as unknown,
    });
  } finally {
    await receiver.close();
  }
});

describe('nobody can hold an attempt up', () => {
  const limited = { timeoutMs: 50 };
  const late = { is: 'retry', reason: 'no response within 50 ms' };

  test('by taking the connection and saying nothing', async () => {
    const server = await serve(() => undefined);
    await expect(toUrl(server.url, limited)).resolves.toEqual(late);
    await server.close();
  });

  test('by a resolver that does not answer', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    await expect(toUrl('https://hooks.test/', { ...limited, resolve })).resolves.toEqual(late);
  });

  test('by half a response head', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).resume();
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await expect(toUrl(`http://127.0.0.1:${port}/`, limited)).resolves.toEqual(late);
    await new Promise((resolve) => server.close(resolve));
  });

  test('by a body without end: the status counts, and the rest is cut off', async () => {
    let sent = 0;
    let cutOff: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (cutOff = resolve));
    const server = await serve((_, response) => {
      response.on('close', cutOff);
      const more = (): void => {
        sent += 65_536;
        if (!response.destroyed) response.write(Buffer.alloc(65_536), () => setImmediate(more));
      };
      more();
    });
    await expect(toUrl(server.url, { timeoutMs: 10_000 })).resolves.toEqual({ is: 'delivered', status: 200 });
    await closed;
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    await server.close();
  });

  test('by a body that never comes: the status counts', async () => {
    const server = await serve((_, response) => response.writeHead(202).flushHeaders());
    await expect(toUrl(server.url, limited)).resolves.toEqual({ is: 'delivered', status: 202 });
    await server.close();
  });
});

test('an attempt whose worker shuts down counts as none: it rejects with the reason', async () => {
  const stop = new AbortController();
  const server = await serve(() => stop.abort(new Error('shutting down')));
  await expect(toUrl(server.url, { signal: stop.signal })).rejects.toThrow('shutting down');
  await server.close();
});

test('proxies of the environment are not used', async () => {
  const proxy = await openReceiver();
  const names = ['HTTP_PROXY', 'http_proxy', 'NODE_USE_ENV_PROXY'] as const;
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.url;
  try {
    const { outcome } = await attempt({ status: 204 });
    expect(outcome).toEqual({ is: 'delivered', status: 204 });
    expect(proxy.received).toEqual([]);
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    await proxy.close();
  }
});
