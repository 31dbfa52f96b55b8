import { z } from 'zod';
import { handle, handleCall } from '../../src/mcp/bound-tool';
import { define } from '../../src/mcp/definition';
import { ok } from '../../src/mcp/result';
import { createMcpServer, type McpServing } from '../../src/mcp/server/create-mcp-server';
import type { McpServerOptions } from '../../src/mcp/server/options';
import { complete } from '../../src/mcp/reply';
import { newGate } from '../client/desk';
import { holdpointError } from '../support/matchers';
import { until } from '../support/until';
import { connectTo } from './linked';

const work = define('work', z.object({}), z.string());
const quick = define('quick', z.object({}), z.string());
let underWay = 0;
let gate: ReturnType<typeof newGate>;
beforeEach(() => {
  underWay = 0;
  gate = newGate();
});
afterEach(() => gate.unlock());

function serve(limits: McpServerOptions['limits'] = {}): McpServing {
  return createMcpServer({
    name: 'test',
    version: '1',
    limits,
    auth: async (headers) => ({ id: headers.get('authorization') ?? '' }),
    tools: [
      handleCall(work, async () => {
        underWay += 1;
        await gate.open;
        return ok(complete('done'));
      }),
      handle(quick, () => ok('quick')),
    ],
  });
}
const as = (name: string, serving: McpServing) =>
  connectTo(serving, { credentials: () => ({ authorization: name }) });
const refused = { code: 429, data: { reason: 'too_many_calls', retryAfterSeconds: 1 } };

test('a caller with as many calls under way as are allowed is told when to call again, and others are served', async () => {
  const serving = serve({ callsPerCaller: 2 });
  const ana = await as('ana', serving);
  const both = [1, 2].map(() => ana.request('work', {}));
  await until('they are under way', () => underWay === 2);
  await expect(ana.request('quick', {})).rejects.toMatchObject(refused);
  expect(await ana.list()).toHaveLength(2);
  expect(await (await as('bob', serving)).request('quick', {})).toMatchObject({ kind: 'result' });
  gate.unlock();
  await Promise.all(both);
  expect(await ana.request('quick', {})).toMatchObject({ kind: 'result' });
});

test('all callers together have so many calls under way', async () => {
  const serving = serve({ calls: 1 });
  const first = (await as('ana', serving)).request('work', {});
  await until('it is under way', () => underWay === 1);
  const bob = await as('bob', serving);
  await expect(bob.request('quick', {})).rejects.toMatchObject(refused);
  gate.unlock();
  await first;
  expect(await bob.request('quick', {})).toMatchObject({ kind: 'result' });
});

test('a call that is given up frees its place', async () => {
  const serving = createMcpServer({
    name: 'test',
    version: '1',
    limits: { calls: 1 },
    graceMs: 1,
    tools: [
      handleCall(work, () => {
        underWay += 1;
        return new Promise<never>(() => undefined);
      }),
      handle(quick, () => ok('quick')),
    ],
  });
  const connection = await connectTo(serving);
  const client = new AbortController();
  const given = connection.request('work', {}, { signal: client.signal }).catch(() => undefined);
  await until('it is under way', () => underWay === 1);
  client.abort();
  await given;
  await until('the place is free', () =>
    connection.request('quick', {}).then(
      () => true,
      () => false,
    ),
  );
});

test('a body that is too large is refused with 413, by its length or as it comes', async () => {
  const serving = serve({ bodyBytes: 1_000 });
  const post = (body: string | ReadableStream) =>
    serving.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { host: 'localhost', 'content-type': 'application/json', authorization: 'ana' },
        body,
        ...{ duplex: 'half' },
      }),
    );
  const large = JSON.stringify({ a: 'x'.repeat(1_000) });
  for (const body of [large, new Blob([large]).stream()]) expect((await post(body)).status).toBe(413);
  expect((await post('{}')).status).toBe(400);
});

test.each([0, -1, Number.NaN, '5' as never])('a limit of %p is refused', (calls) => {
  expect(() => serve({ calls })).toThrow(
    holdpointError('Holdpoint.Mcp.InvalidOptions', /`limits\.calls`/, { option: 'limits.calls' }),
  );
});
