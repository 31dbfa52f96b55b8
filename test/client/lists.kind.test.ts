import { z } from 'zod';
import { toSearchValue } from '../../src/agent/search-value';
import { defineAgent, defineTool, pending } from '../../src/tools';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { newId, openDesk, type Desk } from './desk';

const KINDS = { long: 'k'.repeat(2_000), withNul: 'a\0b', emoji: '😀'.repeat(200) } as const;
const wait = defineTool({
  name: 'wait',
  description: 'Waits for an answer of some kind',
  inputSchema: z.object({ kind: z.string() }),
  execute: ({ kind }) => pending({ kind, prompt: 'Go on?' }),
});

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk([defineAgent({ name: 'waiter', model: 'scripted', tools: [wait] })]);
});
afterAll(() => desk?.close());

test.each(Object.entries(KINDS))(
  'a request of any kind is listed and found by it (R10): %s',
  async (_, kind) => {
    const tenant = newId();
    const client = desk.client.forTenant(tenant);
    const turn = { toolCalls: [{ id: 'w', name: 'wait', arguments: { kind } }] };
    const { runId } = await client.run('waiter', desk.play([turn]), { tenant });
    await until('it is listed', async () => (await client.requests({ tenant })).length === 1);
    const [row] = await client.requests({ tenant, kind });
    expect([row?.runId, row?.request.kind]).toEqual([runId, kind]);
    await expect(client.requests({ tenant, kind: `${kind}!` })).resolves.toEqual([]);
  },
);

test('nothing that a database refuses stands in a search attribute', () => {
  expect(toSearchValue('a\0b\0', 10)).toBe('ab');
  expect(toSearchValue('\0'.repeat(300) + 'a'.repeat(300), 200)).toBe('a'.repeat(200));
});
