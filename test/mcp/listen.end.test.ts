import { z } from 'zod';
import { handle, handleCall } from '../../src/mcp/bound-tool';
import { define } from '../../src/mcp/definition';
import { complete } from '../../src/mcp/reply';
import { ok } from '../../src/mcp/result';
import { createMcpServer, type McpServing } from '../../src/mcp/server/create-mcp-server';
import type { McpPrincipal, McpServerOptions } from '../../src/mcp/server/options';
import { newGate, openDesk, type Desk } from '../client/desk';
import { openHttpDesk } from '../http/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { ENVELOPE, rawRequest } from './raw-request';

const greet = handle(define('greet', z.object({}), z.string()), () => ok('Hello'));

function serve(options: Partial<McpServerOptions> = {}): McpServing {
  return createMcpServer({ name: 'test', version: '1', tools: [greet], ...options });
}

const listening = (headers: Readonly<Record<string, string>> = {}): Request =>
  rawRequest({
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true } },
    headers,
  });

/** Reads a stream; `ended` resolves with it. */
function read(response: Response): { readonly told: () => string; readonly ended: Promise<void> } {
  let told = '';
  const ended = (async (): Promise<void> => {
    for await (const chunk of response.body ?? []) told += Buffer.from(chunk as Uint8Array).toString();
  })();
  return { told: () => told, ended };
}

test.each<[string, () => Promise<McpPrincipal | undefined>]>([
  ['nobody', async () => undefined],
  ['somebody else', async () => ({ id: 'bob' })],
  ['somebody of another tenant', async () => ({ id: 'ana', tenant: 'acme' })],
  [
    'not to be told',
    async () => {
      throw new Error('The issuer is away');
    },
  ],
])('a client that listens is told changes until its credential is one of %s', async (_who, later) => {
  let who = async (): Promise<McpPrincipal | undefined> => ({ id: 'ana' });
  let asked = 0;
  const serving = serve({
    recheckMs: 5,
    auth: () => {
      asked += 1;
      return who();
    },
  });
  const response = await serving.fetch(listening());
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const { told, ended } = read(response);
  await until('it was asked again', () => asked > 2);
  serving.notify.toolsChanged();
  await until('it is told', () => told().includes('notifications/tools/list_changed'));
  who = later;
  await ended;
  await serving.close();
});

test('of a client that has gone away it is not asked any more', async () => {
  const asked: string[] = [];
  const serving = serve({
    recheckMs: 5,
    auth: async (headers) => {
      const id = headers.get('authorization') ?? '';
      asked.push(id);
      return { id };
    },
  });
  const times = (id: string): number => asked.filter((one) => one === id).length;
  const response = await serving.fetch(listening({ authorization: 'ana' }));
  await until('it was asked again', () => times('ana') > 1);
  await response.body?.cancel();
  const before = times('ana');
  const other = read(await serving.fetch(listening({ authorization: 'bob' })));
  await until('others are asked about', () => times('bob') > 3);
  expect(times('ana')).toBe(before);
  await serving.close();
  await other.ended;
});

test('a call that is under way is not ended by a credential that runs out', async () => {
  const { open, unlock } = newGate();
  let asked = 0;
  const slow = handleCall(define('slow', z.object({}), z.string()), async ({ reportProgress }) => {
    reportProgress(1);
    await open;
    return ok(complete('done'));
  });
  const auth = async (headers: Headers) => {
    const id = headers.get('authorization') ?? '';
    if (id === 'bob') asked += 1;
    return id === 'ana' && asked > 0 ? undefined : { id };
  };
  const serving = serve({ tools: [slow], recheckMs: 5, auth });
  const meta = { ...ENVELOPE, progressToken: 'p' };
  const headers = { authorization: 'ana' };
  const reply = await serving.fetch(rawRequest({ params: { name: 'slow', arguments: {} }, meta, headers }));
  expect(reply.headers.get('content-type')).toBe('text/event-stream');
  const other = read(await serving.fetch(listening({ authorization: 'bob' })));
  await until('others are asked about', () => asked > 3);
  unlock();
  expect(await reply.text()).toContain('"structuredContent":"done"');
  await serving.close();
  await other.ended;
});

describe('mounted in the API', () => {
  let desk: Desk;
  beforeAll(async () => {
    quietRuntime();
    desk = await openDesk();
  });
  afterAll(() => desk.close());

  test.each(['revoked', 'narrowed'])(
    'a client that listens is told no more once its key is %s',
    async (how) => {
      const serving = serve({ allowedHosts: ['127.0.0.1'] });
      const http = await openHttpDesk({ mcp: serving, heartbeatMs: 5 }, desk);
      const server = await http.serve();
      const before = http.config.current;
      const key = http.key({ name: 'listener' });
      const { method, body, headers } = listening({ authorization: `Bearer ${key}` });
      headers.delete('host');
      const response = await fetch(`${server.url}/mcp`, { method, headers, body, ...{ duplex: 'half' } });
      expect(response.status).toBe(200);
      const { told, ended } = read(response);
      await until('it listens', () => told().includes('acknowledged'));
      const keys = http.config.current.keys.map((entry) =>
        entry.name === 'listener' ? { ...entry, scopes: ['runs:read' as const] } : entry,
      );
      http.config.current = how === 'revoked' ? before : { ...before, keys };
      await ended;
      const metrics = await http.call('/metrics');
      expect(metrics.text).toMatch(/^holdpoint_http_waits 0$/m);
      await serving.close();
      await server.close();
    },
  );
});
