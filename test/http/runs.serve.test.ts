import { answerOutput } from '../../src/agent/relay';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import type { ScriptedTurn } from '../../src/testing';
import { defineAgent, defineTool } from '../../src/tools';
import { calls, desk as plainDesk, newId, openDesk, pendingId } from '../client/desk';
import { openHttpDesk, type HttpDesk } from './desk';

let http: HttpDesk;
beforeAll(async () => {
  quietRuntime();
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    needsApproval: true,
    approvers: ['boss'],
    execute: () => 'paid',
  });
  const careful = defineAgent({ name: 'careful', model: 'scripted', tools: [pay] });
  http = await openHttpDesk({}, await openDesk([plainDesk(), careful]));
});
afterAll(() => http?.close());

const halting = () => http.desk.play([calls('a'), { content: 'Done.' }]);

test('POST /v1/runs starts a run and says where it is', async () => {
  const runId = newId();
  const started = await http.call('/v1/runs', { body: { agent: 'desk', input: halting(), runId } });
  expect(started).toMatchObject({ status: 202, json: { runId, status: 'running' } });
  expect(started.headers.get('location')).toBe(`/v1/runs/${runId}`);
  await expect(http.desk.client.waitForHalt(runId)).resolves.toMatchObject({ status: 'pending' });
});

test('Prefer: wait gives the halt with all that an answer needs, and the answer’s receipt is the run’s', async () => {
  const halted = await http.call('/v1/runs', {
    body: { agent: 'desk', input: halting() },
    headers: { prefer: 'respond-async, wait=30' },
  });
  expect(halted).toMatchObject({
    status: 200,
    json: { status: 'pending', pending: { kind: 'tool_call', data: { calls: [{ id: 'a' }] } } },
  });
  expect(halted.headers.get('preference-applied')).toBe('wait=30');
  const runId = String(halted.json['runId']);
  const id = pendingId(halted.json as never);
  const answer = answerOutput(id, '7');
  const receipt = await http.call(`/v1/runs/${runId}/answers`, { body: answer });
  expect(receipt).toMatchObject({
    status: 200,
    json: { requestId: id, ok: true, resolved: true, by: 'key:tester', via: 'update' },
  });
  await http.desk.client.result(runId);
  const read = await http.call(`/v1/runs/${runId}`);
  expect(read).toMatchObject({
    status: 200,
    json: { status: 'done', text: 'Done.', receipts: [receipt.json] },
  });
  const short = await http.call(`/v1/runs/${runId}?messages=false`);
  expect(short.json).toMatchObject({ status: 'done', messages: [], toolCalls: [] });
});

test('a start that is sent again says where the run stands by now', async () => {
  const body = { agent: 'desk', input: halting(), runId: newId() };
  await http.call('/v1/runs', { body, headers: { prefer: 'wait=30' } });
  const again = await http.call('/v1/runs', { body });
  expect(again).toMatchObject({ status: 202, json: { runId: body.runId, status: 'pending' } });
  const { pending } = await http.desk.client.get(body.runId);
  await http.desk.client.answer(body.runId, answerOutput(pending?.id ?? '', '7'));
  await http.desk.client.result(body.runId);
  const late = await http.call('/v1/runs', { body });
  expect(late).toMatchObject({ status: 202, json: { runId: body.runId, status: 'done' } });
});

test('both lists are filtered by kind and by approver', async () => {
  const key = http.key({ tenant: newId() });
  const call = { toolCalls: [{ id: 'p', name: 'pay', arguments: {} }] };
  const start = (agent: string, turn: ScriptedTurn) =>
    http.call('/v1/runs', {
      key,
      body: { agent, input: http.desk.play([turn, { content: 'Done.' }]) },
      headers: { prefer: 'wait=30' },
    });
  const paying = await start('careful', call);
  await start('desk', calls('a'));
  const idsOf = async (path: string): Promise<unknown[]> => {
    const { json } = await http.call(path, { key });
    return ((json['runs'] ?? json['requests']) as { runId: string }[]).map(({ runId }) => runId);
  };
  await until('both are listed', async () => (await idsOf('/v1/runs?status=pending')).length === 2);
  for (const query of [
    'runs?approver=boss',
    'runs?waitingFor=approval&approver=boss',
    'requests?approver=boss',
  ])
    await expect(idsOf(`/v1/${query}`)).resolves.toEqual([paying.json['runId']]);
  for (const query of [
    'runs?approver=clerk',
    'runs?waitingFor=tool_call&approver=boss',
    'requests?approver=clerk',
  ])
    await expect(idsOf(`/v1/${query}`)).resolves.toEqual([]);
});

test('lists and requests show what is there', async () => {
  const runId = newId();
  const key = http.key({ tenant: newId() });
  await http.call('/v1/runs', {
    key,
    body: { agent: 'desk', input: halting(), runId },
    headers: { prefer: 'wait=30' },
  });
  const of = (rows: unknown) => (rows as { runId: string }[]).map((row) => row.runId);
  await until('it is listed', async () => {
    const { json } = await http.call('/v1/runs?status=pending&waitingFor=tool_call', { key });
    return of(json['runs']).includes(runId);
  });
  const { json } = await http.call('/v1/requests?kind=tool_call', { key });
  expect(of(json['requests'])).toContain(runId);
});
