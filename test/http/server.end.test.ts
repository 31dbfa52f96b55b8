import { createConnection } from 'node:net';
import { once } from 'node:events';
import type { ConfigSource } from '../../src/config/config';
import { listen } from '../../src/http/listen';
import { createHttpApi } from '../../src/http/create-api';
import { newId } from '../client/desk';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { openProxy } from '../support/proxy';
import { halt, openHttpDesk, toReply, type HttpDesk } from './desk';

let http: HttpDesk;
beforeAll(async () => {
  quietRuntime();
  http = await openHttpDesk();
});
afterAll(() => http?.close());

test('a server that ends closes its streams, ends its waits with where the run is, and takes nothing more', async () => {
  const closing = new AbortController();
  const api = http.another({ closing: closing.signal });
  const { config } = http;
  const server = await listen(api, { port: 0, host: '127.0.0.1', config });
  const headers = { authorization: `Bearer ${http.key()}`, 'content-type': 'application/json' };
  const { runId } = await halt(http);
  const stream = await fetch(`${server.url}/v1/runs/${runId}/events`, { headers });
  const gate = { unlock: (): void => undefined };
  const hold = new Promise<void>((resolve) => (gate.unlock = resolve));
  const input = http.desk.play([{ content: 'Done.', hold }]);
  const asked = http.desk.model.requests.length + 1;
  const waiting = fetch(`${server.url}/v1/runs`, {
    method: 'POST',
    headers: { ...headers, prefer: 'wait=60' },
    body: JSON.stringify({ agent: 'desk', input }),
  });
  await http.desk.model.waitForRequest(asked);
  await expect(fetch(`${server.url}/readyz`).then(toReply)).resolves.toMatchObject({ status: 200 });
  closing.abort();
  const ended = server.close();
  await expect(waiting.then(toReply)).resolves.toMatchObject({ status: 202, json: { status: 'running' } });
  await expect(stream.text()).resolves.toMatch(/event: request/);
  await ended;
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  gate.unlock();
});

test('a port that is in use is named', async () => {
  const { url } = await http.serve();
  const port = Number(new URL(url).port);
  await expect(listen(http.api, { port, host: '127.0.0.1', config: http.config })).rejects.toEqual(
    holdpointError('Holdpoint.Server.PortTaken', new RegExp(String(port)), { port }),
  );
});

test('503 with Retry-After when Temporal is away, and health is told apart from readiness', async () => {
  const proxy = await openProxy();
  const client = await http.desk.connect({ address: proxy.address, logger: { warn: () => undefined } });
  const api = createHttpApi({ client, config: http.config, callMs: 500 });
  await expect(http.call('/readyz', { api, key: null })).resolves.toMatchObject({ status: 200 });
  proxy.cut();
  try {
    const calls = [
      ['/v1/runs', undefined],
      ['/v1/runs', { agent: 'desk', input: 'x' }],
      [`/v1/runs/${newId()}/answers`, { id: 'r', ok: true }],
    ] as const;
    for (const reply of await Promise.all(calls.map(([path, body]) => http.call(path, { api, body })))) {
      expect(reply).toMatchObject({ status: 503 });
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(reply.text).not.toMatch(/127\.0\.0\.1|ECONN/);
    }
    await expect(http.call('/readyz', { api, key: null })).resolves.toMatchObject({
      status: 503,
      json: { code: 'Holdpoint.Http.Unavailable' },
    });
    await expect(http.call('/healthz', { api, key: null })).resolves.toMatchObject({ status: 200 });
  } finally {
    await client.disconnect();
    proxy.close();
  }
});

test('a configuration that is not valid any more is told by readiness and by a metric; the server goes on', async () => {
  const { current } = http.config;
  const config: ConfigSource & { problem?: string } = { current };
  const api = createHttpApi({ client: http.desk.client, config });
  const told = async () => [
    (await http.call('/readyz', { api, key: null })).json,
    /^holdpoint_http_config_outdated (\d)$/m.exec((await http.call('/metrics', { api })).text)?.[1],
  ];
  await expect(told()).resolves.toEqual([{ status: 'ok', configuration: 'current' }, '0']);
  config.problem = 'It is not JSON.';
  await expect(told()).resolves.toEqual([{ status: 'ok', configuration: 'outdated' }, '1']);
});

test('what is read has a time of its own, within which a 503 comes while Temporal is away', async () => {
  const proxy = await openProxy();
  const client = await http.desk.connect({ address: proxy.address, logger: { warn: () => undefined } });
  const { current } = http.config;
  const config = { current: { ...current, limits: { ...current.limits, readMs: 200 } } };
  // Without that time it would be a thousand seconds.
  const api = createHttpApi({ client, config, callMs: 1e6 });
  proxy.cut();
  try {
    const paths = ['/v1/requests', '/v1/runs', `/v1/runs/${newId()}`, `/v1/runs/${newId()}/events`];
    for (const reply of await Promise.all(paths.map((path) => http.call(path, { api })))) {
      expect(reply).toMatchObject({ status: 503 });
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    }
  } finally {
    await client.disconnect();
    proxy.close();
  }
}, 20_000);

test('a request whose headers or body do not come in time is cut off', async () => {
  const { current } = http.config;
  const config = { current: { ...current, limits: { ...current.limits, headersMs: 200, requestMs: 400 } } };
  const server = await listen(http.api, { port: 0, host: '127.0.0.1', config });
  try {
    const lines = ['POST /v1/runs HTTP/1.1', 'host: x', `authorization: Bearer ${http.key()}`];
    const whole = [...lines, 'content-type: application/json', 'content-length: 10', '', '{'].join('\r\n');
    for (const beginning of [lines.join('\r\n'), whole]) {
      const socket = createConnection(Number(new URL(server.url).port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.write(beginning);
      await once(socket, 'close');
      expect(text).toMatch(/^(HTTP\/1\.1 408 |$)/);
    }
  } finally {
    await server.close();
  }
});

test('a caller who goes away ends their wait, and counts as no failure', async () => {
  const { url } = await http.serve();
  const leaving = new AbortController();
  let unlock = (): void => undefined;
  const hold = new Promise<void>((resolve) => (unlock = resolve));
  const asked = http.desk.model.requests.length + 1;
  const waiting = fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${http.key()}`, 'content-type': 'application/json', prefer: 'wait=60' },
    body: JSON.stringify({ agent: 'desk', input: http.desk.play([{ content: 'Done.', hold }]) }),
    signal: leaving.signal,
  });
  await http.desk.model.waitForRequest(asked);
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  await until('the place is free', async () =>
    /^holdpoint_http_waits 0$/m.test((await http.call('/metrics')).text),
  );
  expect((await http.call('/metrics')).text).not.toMatch(/status="500"/);
  unlock();
});

test('the log and the metrics tell routes, never a token, a key, a header or a body', async () => {
  const lines: string[] = [];
  const log = (fields: object, message: string): void =>
    void lines.push(JSON.stringify({ ...fields, message }));
  const api = http.another({ logger: { info: log, warn: log, error: log } });
  const key = http.key();
  await http.call('/v1/answers/very-secret-token?x=secret-query', { api, key: null });
  await http.call('/v1/secret-path', { api, key });
  await http.call('/v1/runs/secret-run', { api, key });
  await http.call('/v1/runs', { api, key, body: { agent: 'desk', input: 'secret-body', runId: newId() } });
  const { text } = await http.call('/metrics', { api });
  expect(lines).toHaveLength(5);
  expect(lines[0]).toContain('"route":"/v1/answers/:token"');
  expect(lines.join('\n') + text).not.toMatch(/secret|hp_[0-9a-f]/);
  expect(text).toMatch(
    /holdpoint_http_requests_total\{method="GET",route="\/v1\/runs\/:id",status="404"\} 1/,
  );
});
