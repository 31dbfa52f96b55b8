import type { McpCaller } from '../../src/http/routes/mcp';
import { newGate, openDesk, type Desk } from '../client/desk';
import { until } from '../support/until';
import { configOf, openHttpDesk, type HttpDesk } from './desk';

const seen: { readonly caller: McpCaller; readonly body: string }[] = [];
let respond: () => Response = () => Response.json({});
let desk: Desk;
let http: HttpDesk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());
beforeEach(async () => {
  seen.length = 0;
  respond = () => Response.json({});
  const fetchAs = async (request: Request, caller: McpCaller): Promise<Response> => {
    seen.push({ caller, body: await request.text() });
    return respond();
  };
  http = await openHttpDesk({ mcp: { fetchAs } }, desk);
});

test('what is mounted gets the whole request, with who calls', async () => {
  const key = http.key({ name: 'shop', tenant: 'acme', scopes: ['runs:write'] });
  const reply = await http.call('/mcp', { body: { method: 'tools/list' }, key });
  expect(reply.status).toBe(200);
  const full = http.key({ name: 'ana' });
  await http.call('/mcp', { key: full });
  expect(seen).toEqual([
    { caller: { id: 'key:shop', tenant: 'acme', mayAnswer: false }, body: '{"method":"tools/list"}' },
    { caller: { id: 'key:ana', mayAnswer: true }, body: '' },
  ]);
});

test.each([
  ['no key', null, 401],
  ['a key that may not start runs', 'reader', 403],
])('%s is refused before anything is read', async (_, name, status) => {
  const key = name === null ? null : http.key({ name, scopes: ['runs:read', 'requests:answer'] });
  const reply = await http.call('/mcp', { body: {}, key });
  expect(reply).toMatchObject({ status, json: { status } });
  expect(seen).toEqual([]);
});

test('too many requests, too large and too deep a body are refused as by the API', async () => {
  const limits = { bodyBytes: 4096, requestsPerMinute: 3 };
  http.config.current = { ...http.config.current, limits: configOf({ limits }).limits };
  expect(await http.call('/mcp', { body: { a: 'x'.repeat(5000) } })).toMatchObject({ status: 413 });
  expect((await http.call('/mcp', { body: `${'['.repeat(600)}${']'.repeat(600)}` })).status).toBe(400);
  expect((await http.call('/mcp', { body: {} })).status).toBe(200);
  const limited = await http.call('/mcp', { body: {} });
  expect(limited).toMatchObject({ status: 429, json: { code: 'Holdpoint.Http.RateLimited' } });
  expect(limited.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(seen).toHaveLength(1);
});

test('a call is one of its key’s waits until its response has ended, or nobody reads on', async () => {
  const limits = { concurrentWaitsPerKey: 1 };
  http.config.current = { ...http.config.current, limits: configOf({ limits }).limits };
  const { open, unlock } = newGate();
  const gated = (): Response =>
    new Response(
      new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode('data: 1\n\n'));
          await open;
          controller.close();
        },
      }),
    );
  respond = gated;
  const headers = { authorization: `Bearer ${http.key({ name: 'shop' })}` };
  const post = () => http.api.request('/mcp', { method: 'POST', headers });
  const first = await post();
  expect((await post()).status).toBe(429);
  await first.body?.cancel();
  const second = await post();
  expect(second.status).toBe(200);
  unlock();
  expect(await second.text()).toBe('data: 1\n\n');
  respond = () => {
    throw new Error('It broke');
  };
  expect((await post()).status).toBe(500);
  respond = () => new Response(null, { status: 202 });
  await until('the place is free', async () => (await post()).status === 202);
});

test('without a mount there is nothing', async () => {
  const without = await openHttpDesk({}, desk);
  expect((await without.call('/mcp', { body: {} })).status).toBe(404);
});
