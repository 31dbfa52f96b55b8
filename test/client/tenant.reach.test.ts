import { defineSearchAttributeKey } from '@temporalio/common';
import { answerDeclined, answerOutput } from '../../src/agent/relay';
import type { HoldpointClient } from '../../src/client';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { calls, newId, openDesk, pendingId, type Desk } from './desk';

let desk: Desk;
let acme: HoldpointClient;
let rival: HoldpointClient;
let nobody: HoldpointClient;
const tenant = `acme-${newId().slice(2, 10)}`;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk();
  acme = desk.client.forTenant(tenant);
  rival = desk.client.forTenant(`${tenant}2`);
  nobody = desk.client.forTenant(null);
});
afterAll(() => desk?.close());

const halting = () => desk.play([calls('a'), { content: 'Done.' }]);

test('a tenant’s client starts, reads and answers runs by the ids that the tenant gave them', async () => {
  const runId = newId();
  const halted = await acme.run('desk', halting(), { runId });
  expect(halted).toMatchObject({ runId, status: 'pending' });
  await expect(desk.client.get(`${tenant}/${runId}`)).resolves.toMatchObject({ status: 'pending' });
  await acme.answer(runId, answerOutput(pendingId(halted), '1'));
  await expect(acme.result(runId)).resolves.toMatchObject({ runId, status: 'done' });
  const events = [];
  for await (const event of acme.events(runId)) events.push(event.runId);
  expect(new Set(events)).toEqual(new Set([runId]));
});

test('two tenants, and those without one, use the same id for different runs', async () => {
  const runId = newId();
  const results = await Promise.all(
    [acme, rival, nobody].map((client) => client.run('desk', halting(), { runId })),
  );
  const requests = results.map((result) => pendingId(result));
  expect(new Set(requests).size).toBe(3);
  await expect(acme.answer(runId, answerDeclined(requests[1] ?? ''))).rejects.toEqual(
    holdpointError('Holdpoint.Answer.UnknownRequest'),
  );
});

test('ids of digits are a tenant’s own: neither an ask of a conversation nor the other way round', async () => {
  const [run, conversation] = ['7', '8'];
  await acme.run('desk', halting(), { runId: run });
  await expect(acme.get(run)).resolves.toMatchObject({ runId: run, status: 'pending' });
  const ask = await acme.ask('desk', conversation, halting());
  expect(ask.runId).toBe('8/1');
  await expect(acme.get('8/1')).resolves.toMatchObject({ runId: '8/1', status: 'pending' });
  await expect(acme.get('8')).rejects.toEqual(holdpointError('Holdpoint.Run.NotFound'));
});

test('a conversation’s asks and errors have the tenant’s own ids', async () => {
  const conversationId = newId();
  const { runId, position } = await acme.startAsk('desk', conversationId, halting());
  expect({ runId, position }).toEqual({ runId: `${conversationId}/1`, position: 0 });
  const halted = await acme.waitForHalt(runId);
  await expect(acme.ask('desk', conversationId, 'x')).rejects.toEqual(
    holdpointError('Holdpoint.Conversation.Pending', new RegExp(`Conversation ${conversationId} `), {
      conversationId,
    }),
  );
  await acme.answer({ conversationId }, answerOutput(pendingId(halted), '1'));
  await expect(acme.result(runId)).resolves.toMatchObject({ runId, status: 'done' });
  await acme.close(conversationId);
  await expect(acme.ask('desk', conversationId, 'x')).rejects.toEqual(
    holdpointError('Holdpoint.Conversation.Closed', new RegExp(conversationId), { conversationId }),
  );
});

test('another tenant’s run is not told apart from one that does not exist', async () => {
  const runId = newId();
  const halted = await acme.run('desk', halting(), { runId });
  const answer = answerDeclined(pendingId(halted));
  const operations: readonly ((client: HoldpointClient, id: string) => Promise<unknown>)[] = [
    (client, id) => client.get(id),
    (client, id) => client.result(id),
    (client, id) => client.waitForHalt(id),
    (client, id) => client.answer(id, answer),
    (client, id) => client.runWithAnswer(id, answer),
    (client, id) => client.cancel(id),
    (client, id) => client.addMessage(id, 'x'),
    (client, id) => client.continue(id),
    (client, id) => client.describe(id),
    (client, id) => client.erase({ runId: id }),
    async (client, id) => {
      for await (const event of client.events(id)) return event;
    },
  ];
  for (const reader of [rival, nobody])
    for (const id of [runId, `${tenant}/${runId}`, `conversation/${tenant}`, '../x'])
      for (const operation of operations)
        await expect(operation(reader, id)).rejects.toEqual(
          holdpointError('Holdpoint.Run.NotFound', new RegExp(`^Run "${id.replace('..', '\\.\\.')}" is not`)),
        );
  await expect(acme.get(runId)).resolves.toMatchObject({ status: 'pending' });
});

test('an id in an error hides nothing, breaks no line and is the tenant’s own, however long it is', async () => {
  const hostile = 'x\u202e\n\u0007y';
  for (const client of [desk.client, acme]) {
    const unknown = holdpointError('Holdpoint.Run.NotFound', /^Run "x\\u\{202e\}\\n\\x07y" is not in/);
    await expect(client.get(hostile)).rejects.toEqual(unknown);
    const refused = holdpointError('Holdpoint.Client.InvalidOptions', /got "x\\u202e\\n\\u0007y"\.$/);
    await expect(client.ask('desk', hostile, 'x')).rejects.toEqual(refused);
  }
  await expect(acme.get('l'.repeat(2_000))).rejects.toEqual(
    holdpointError('Holdpoint.Run.NotFound', /^Run "l{200,300}…" is not in/),
  );
  const runId = 'r'.repeat(150);
  await acme.run('desk', halting(), { runId });
  await expect(acme.answer(runId, answerDeclined('nothing'))).rejects.toEqual(
    holdpointError('Holdpoint.Answer.UnknownRequest', /^Run "r{100,150}…?" has no request "nothing"/),
  );
});

test('where nothing is listed, the id alone tells whose a run is', async () => {
  const plain = await desk.connect({ searchAttributes: 'none' });
  try {
    const runId = newId();
    const halted = await acme.run('desk', halting(), { runId });
    const denied = holdpointError('Holdpoint.Run.NotFound');
    const answer = answerDeclined(pendingId(halted));
    for (const [reader, id] of [
      [plain.forTenant(null), `${tenant}/${runId}`],
      [plain.forTenant(null), `conversation/${tenant}`],
      [plain.forTenant(`${tenant}2`), `../${tenant}/${runId}`],
      [plain.forTenant(`${tenant}2`), runId],
    ] as const) {
      await expect(reader.get(id)).rejects.toEqual(denied);
      await expect(reader.answer(id, answer)).rejects.toEqual(denied);
    }
    await expect(plain.forTenant(tenant).get(runId)).resolves.toMatchObject({ runId, status: 'pending' });
  } finally {
    await plain.disconnect();
  }
});

test('a run that only says it has a tenant is no run of those without one, and no client starts one', async () => {
  const runId = newId();
  const args = [{ agent: 'desk', input: halting(), tenant }];
  await desk.client.temporal.workflow.start('agentRun', {
    workflowId: runId,
    taskQueue: desk.taskQueue,
    args,
    typedSearchAttributes: [{ key: defineSearchAttributeKey('HoldpointTenant', 'KEYWORD'), value: tenant }],
  });
  const halted = await desk.client.waitForHalt(runId);
  const denied = holdpointError('Holdpoint.Run.NotFound');
  await expect(nobody.get(runId)).rejects.toEqual(denied);
  await expect(nobody.answer(runId, answerDeclined(pendingId(halted)))).rejects.toEqual(denied);
  await expect(acme.get(runId)).rejects.toEqual(denied);
  const refused = holdpointError(
    'Holdpoint.Client.InvalidOptions',
    new RegExp(`client\\.forTenant\\("${tenant}"\\). in place of the option`),
  );
  await expect(desk.client.start('desk', 'x', { tenant })).rejects.toEqual(refused);
  await expect(desk.client.run('desk', 'x', { tenant })).rejects.toEqual(refused);
  await expect(desk.client.ask('desk', newId(), 'x', { tenant })).rejects.toEqual(refused);
});

test('a tenant’s run goes on as one of the tenant’s, also by a client for all', async () => {
  const done = await acme.run('desk', desk.play([{ content: 'One.' }, { content: 'Two.' }]));
  const more = await desk.client.continue(`${tenant}/${done.runId}`, 'More.');
  expect(more.runId).toMatch(new RegExp(`^${tenant}/`));
  await expect(acme.get(more.runId.slice(tenant.length + 1))).resolves.toMatchObject({ text: 'Two.' });
});

test('lists and requests show a tenant’s own runs, by its own ids', async () => {
  const runId = newId();
  const conversationId = newId();
  await acme.run('desk', halting(), { runId });
  await acme.ask('desk', conversationId, halting());
  await until('both are listed', async () => {
    const ids = (await acme.list()).map((run) => run.runId);
    return ids.includes(runId) && ids.includes(`${conversationId}/1`);
  });
  const requests = await acme.requests();
  expect(requests.map((row) => row.runId)).toEqual(expect.arrayContaining([runId, `${conversationId}/1`]));
  expect(requests.find((row) => row.runId === `${conversationId}/1`)).toMatchObject({
    conversationId,
    tenant,
  });
  for (const other of [rival, nobody]) {
    const rows = [...(await other.list({ limit: 1000 })), ...(await other.requests())];
    expect(rows.filter((row) => row.tenant === tenant || row.runId.includes(runId))).toEqual([]);
  }
  await expect(rival.list({ tenant })).resolves.toEqual([]);
});

test('a list is read in pages, each run once, and a cursor fits only its own list', async () => {
  const own = desk.client.forTenant(`${tenant}-pages`);
  const ids = await Promise.all(
    [1, 2, 3, 4, 5].map(async () => (await own.start('desk', desk.play([{ content: 'Done.' }]))).runId),
  );
  await Promise.all(ids.map((id) => own.result(id)));
  await until('all are listed', async () => (await own.list({ status: 'done' })).length === ids.length);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await own.listPage({ status: 'done', limit: 2, ...(cursor !== undefined && { cursor }) });
    expect(page.runs.length).toBeLessThanOrEqual(2);
    found.push(...page.runs.map((run) => run.runId));
    cursor = page.next;
  } while (cursor !== undefined);
  expect(found.sort()).toEqual([...ids].sort());
  const { next = '' } = await own.listPage({ status: 'done', limit: 2 });
  expect(next).not.toBe('');
  const refused = holdpointError('Holdpoint.Client.InvalidOptions', /cursor/);
  await expect(own.listPage({ limit: 2, cursor: next })).rejects.toEqual(refused);
  await expect(acme.listPage({ status: 'done', limit: 2, cursor: next })).rejects.toEqual(refused);
  for (const wrong of ['x', '', 'e30', Buffer.from('null').toString('base64url')])
    await expect(own.listPage({ status: 'done', cursor: wrong })).rejects.toEqual(refused);
});

test('an erased id that is used again is another run by its first execution', async () => {
  const runId = newId();
  await acme.run('desk', halting(), { runId });
  const before = await acme.describe(runId);
  await acme.erase({ runId });
  await acme.run('desk', halting(), { runId });
  const after = await acme.describe(runId);
  expect(after.firstExecutionId).not.toBe(before.firstExecutionId);
});

test.each(['', 'a/b', 'conversation', 'ä', 'x'.repeat(65), 5 as never])('%p is no tenant', (name) => {
  expect(() => desk.client.forTenant(name)).toThrow(
    holdpointError('Holdpoint.Client.InvalidOptions', /a tenant/),
  );
});

test('a client for one tenant gives none for another and starts no run of another', async () => {
  expect(() => acme.forTenant(`${tenant}2`)).toThrow(holdpointError('Holdpoint.Client.InvalidOptions'));
  await expect(acme.start('desk', 'x', { tenant: 'other' })).rejects.toEqual(
    holdpointError('Holdpoint.Client.InvalidOptions', /one tenant/),
  );
});

test('disconnecting a tenant’s client leaves the connection to the others', async () => {
  await acme.disconnect();
  await expect(rival.list({ limit: 1 })).resolves.toHaveLength(1);
});
