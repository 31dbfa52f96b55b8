import { answerOutput } from '../../src/agent/relay';
import { defineAgent, defineTool } from '../../src/tools';
import { holdpointError, objectWith } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { calls, desk as plainDesk, newId, openDesk, pendingId, type Desk } from './desk';

const refund = defineTool({
  name: 'refund',
  description: 'Pays money back',
  needsApproval: true,
  execute: () => 'paid',
});
const cashier = defineAgent({ name: 'cashier', model: 'scripted', tools: [refund] });

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk([plainDesk(), cashier]);
});
afterAll(() => desk?.close());

test('requests gives the open requests of all runs, by agent, tenant and kind, confirmed by their runs', async () => {
  const tenant = newId();
  const client = desk.client.forTenant(tenant);
  const relayed = await client.run('desk', desk.play([calls('a', 'b')]), { tenant });
  const turn = { toolCalls: [{ id: 'r', name: 'refund', arguments: {} }] };
  const approval = await client.run(cashier, desk.play([turn]), { tenant });
  const ask = await client.ask('desk', newId(), desk.play([calls('c')]), { tenant });
  await until('all three are listed', async () => (await client.requests({ tenant })).length === 3);
  const all = await client.requests({ tenant });
  expect(all).toContainEqual({
    runId: relayed.runId,
    agent: 'desk',
    tenant,
    request: relayed.pending,
    callIds: ['a', 'b'],
    openedAt: expect.any(String) as unknown,
    confirmed: true,
  });
  expect(all).toContainEqual(objectWith({ runId: ask.runId, request: ask.pending }));
  const only = await client.requests({ tenant, kind: 'approval' });
  expect(only).toEqual([objectWith({ runId: approval.runId, request: approval.pending })]);
  await expect(client.requests({ tenant, agent: cashier.name })).resolves.toEqual(only);
  // Nothing in a name may end the server's quotes.
  const hostile = `${tenant} o'neil' OR ''=' %_`;
  await expect(desk.client.requests({ tenant: hostile })).resolves.toEqual([]);
  await expect(client.requests({ agent: hostile })).resolves.toEqual([]);
});

test('a request that was just answered is not among the open ones, however late the list is', async () => {
  const tenant = newId();
  const client = desk.client.forTenant(tenant);
  const halted = await client.run('desk', desk.play([calls('a'), { content: 'Done.' }]), { tenant });
  await until('it is listed', async () => (await client.requests({ tenant })).length === 1);
  await client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
  await expect(client.requests({ tenant })).resolves.toEqual([]);
});

test('list gives runs and conversations with their status, open ones first', async () => {
  const tenant = newId();
  const client = desk.client.forTenant(tenant);
  const done = await client.run('desk', desk.play([{ content: 'Done.' }]), { tenant });
  const failed = await client.run('desk', desk.play([{ status: 401 }]), { tenant });
  const incomplete = await client.run('desk', desk.play([calls('a'), calls('b')]), {
    tenant,
    limits: { maxTotalTurns: 1 },
  });
  await client.runWithAnswer(incomplete.runId, answerOutput(pendingId(incomplete), '1'));
  const halted = await client.run('desk', desk.play([calls('a')]), { tenant });
  const cancelled = await client.run('desk', desk.play([calls('a')]), { tenant });
  await client.cancel(cancelled.runId);
  await client.result(cancelled.runId);
  const ask = await client.ask('desk', newId(), desk.play([{ content: 'Hi.' }]), { tenant });
  const expected = {
    idle: ask.runId,
    pending: halted.runId,
    cancelled: cancelled.runId,
    incomplete: incomplete.runId,
    failed: failed.runId,
    done: done.runId,
  };
  const statuses = Object.keys(expected) as (keyof typeof expected)[];
  await until('all are listed as they ended', async () => {
    const rows = await client.list({ tenant });
    return statuses.every((status) => rows.some((row) => row.status === status));
  });
  const rows = await client.list({ tenant });
  expect(rows.map((row) => row.status)).toEqual(statuses);
  expect(rows.map((row) => row.runId)).toEqual(Object.values(expected));
  for (const status of statuses)
    await expect(client.list({ tenant, status })).resolves.toEqual([
      objectWith({ runId: expected[status], status, agent: 'desk', tenant }),
    ]);
  await expect(client.list({ tenant, limit: 2 })).resolves.toEqual(rows.slice(0, 2));
});

test('without search attributes lists are empty and runs run', async () => {
  await using client = await desk.connect({ searchAttributes: 'none' });
  const result = await client.run('desk', desk.play([{ content: 'Done.' }]));
  expect(result.status).toBe('done');
  await expect(client.list()).resolves.toEqual([]);
  await expect(client.requests()).resolves.toEqual([]);
});

test('erase removes a run or a conversation for good, open or closed', async () => {
  const { client } = desk;
  const halted = await client.run('desk', desk.play([calls('a')]));
  const done = await client.run('desk', desk.play([{ content: 'Done.' }]));
  const id = newId();
  await client.ask('desk', id, desk.play([{ content: 'Hi.' }]));
  await client.erase(halted.runId);
  await client.erase({ runId: done.runId });
  await client.erase(id);
  const gone = holdpointError('Holdpoint.Run.NotFound');
  for (const runId of [halted.runId, done.runId, `${id}/1`])
    await expect(client.get(runId)).rejects.toEqual(gone);
  await expect(client.erase(halted.runId)).rejects.toEqual(gone);
  await expect(client.erase({ conversationId: id })).rejects.toEqual(
    holdpointError('Holdpoint.Conversation.NotFound'),
  );
});

test('erase of an id that is both a run and a conversation, or a single ask, must be told which', async () => {
  const { client } = desk;
  const id = newId();
  const run = await client.run('desk', desk.play([{ content: 'Done.' }]), { runId: id });
  const ask = await client.ask('desk', id, desk.play([{ content: 'Hi.' }]));
  const ambiguous = holdpointError('Holdpoint.Client.InvalidOptions', /both a run and a conversation/);
  await expect(client.erase(id)).rejects.toEqual(ambiguous);
  await expect(client.erase(ask.runId)).rejects.toEqual(
    holdpointError('Holdpoint.Client.InvalidOptions', /whole conversation/),
  );
  await client.erase({ conversationId: id });
  await expect(client.get(run.runId)).resolves.toEqual(run);
  await expect(client.get(ask.runId)).rejects.toEqual(holdpointError('Holdpoint.Run.NotFound'));
});

test('a filter that the server would not understand is refused, and says what is possible', async () => {
  const { client } = desk;
  const refused = (pattern: RegExp) => holdpointError('Holdpoint.Client.InvalidOptions', pattern);
  const loosely = (filter: object): object => filter;
  await expect(client.list(loosely({ status: 'waiting' }))).rejects.toEqual(
    refused(/`status` to be one of running, pending, .*got "waiting"/),
  );
  await expect(client.list(loosely({ status: ['done'] }))).rejects.toEqual(refused(/`status`/));
  await expect(client.list({ limit: 0 })).rejects.toEqual(refused(/`limit`/));
  await expect(client.requests(loosely({ kind: 7 }))).rejects.toEqual(refused(/`kind` to be a string/));
});
