import type { ToolContext } from '../../src/agent/tool';
import { defineAgent, defineTool, pending } from '../../src/tools';
import { newId, openDesk, pendingId, relayed, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';

let seen: ToolContext[] = [];

const probe = defineTool({
  name: 'probe',
  description: 'Shows its context',
  timeoutMs: 60_000,
  execute: (_args, ctx) => {
    seen.push(ctx);
    return 'seen';
  },
});
const asking = defineTool({
  name: 'asking',
  description: 'Asks, then shows its context',
  execute: (_args, ctx) => {
    seen.push(ctx);
    return ctx.answer ? 'answered' : pending({ kind: 'question', prompt: 'Well?' });
  },
});
const named = defineTool({
  name: 'named',
  description: 'Asks under an id of its own',
  execute: () => pending({ id: 'ticket-1', kind: 'question', prompt: 'Well?' }),
});

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  const tools = [relayed, probe, asking, named];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })]);
});
beforeEach(() => {
  seen = [];
});
afterAll(() => desk.close());

const call = (name: string, id?: string) => ({ ...(id !== undefined && { id }), name, arguments: {} });
const keys = () => seen.map(({ idempotencyKey }) => idempotencyKey);

test('R7: a tool in a run receives its whole context, on the first execution and on the next', async () => {
  const text = desk.play([{ toolCalls: [call('asking', 'c1')] }, { content: 'Done.' }]);
  const halted = await desk.client.run('desk', text, { context: { user: 7 } });
  await desk.client.runWithAnswer(halted.runId, { id: pendingId(halted), ok: true });
  const shared = {
    callId: 'c1',
    timeoutMs: 0,
    runId: halted.runId,
    agent: 'desk',
    turn: 1,
    attempt: 1,
    context: { user: 7 },
  };
  expect(seen).toMatchObject([shared, shared]);
  expect(seen.map(({ signal }) => signal instanceof AbortSignal)).toEqual([true, true]);
  expect(seen.map(({ answer }) => answer?.ok)).toEqual([undefined, true]);
});

test('R9: the budget of a call is told to its tool', async () => {
  await desk.client.run('desk', desk.play([{ toolCalls: [call('probe', 'c1')] }, { content: 'Done.' }]));
  expect(seen).toMatchObject([{ timeoutMs: 60_000 }]);
});

test('R9: the idempotency key is the same on the execution after an answer, with a worker restart between', async () => {
  const halted = await desk.client.run(
    'desk',
    desk.play([{ toolCalls: [call('asking', 'c1')] }, { content: 'Done.' }]),
  );
  await desk.stopWorker();
  await desk.startWorker();
  await desk.client.runWithAnswer(halted.runId, { id: pendingId(halted), ok: true });
  const [first, second] = keys();
  expect(first).toMatch(/^hp_[0-9a-f-]{36}_1_0$/);
  expect(second).toBe(first);
});

test('R9: calls of one message, and of two turns, have keys of their own although their ids are the same', async () => {
  const turn = { toolCalls: [call('probe', 'same'), call('probe', 'other')] };
  await desk.client.run('desk', desk.play([turn, turn, { content: 'Done.' }]));
  expect(new Set(keys()).size).toBe(4);
});

test('R9, R10: a run id that is used again inherits neither keys nor request ids', async () => {
  const runId = newId();
  const text = desk.play([{ toolCalls: [call('probe', 'a'), call('stock', 'b')] }]);
  const first = await desk.client.run('desk', text, { runId });
  await desk.client.erase({ runId });
  const second = await desk.client.run('desk', text, { runId });
  expect(second.runId).toBe(first.runId);
  expect(pendingId(second)).not.toBe(pendingId(first));
  expect(new Set(keys()).size).toBe(2);
});

test('R10: a request id is the same before and after a worker restart, and no call id', async () => {
  const halted = await desk.client.run('desk', desk.play([{ toolCalls: [call('stock', 'c1')] }]));
  await desk.stopWorker();
  await desk.startWorker();
  const again = await desk.client.get(halted.runId);
  expect(again).toEqual(halted);
  expect(pendingId(halted)).not.toContain('stock-call');
});

test("R10: a tool's own request id is kept once; used again in the run it is replaced by a generated one", async () => {
  const turn = { toolCalls: [call('named', 'a'), call('named', 'b')] };
  const halted = await desk.client.run('desk', desk.play([turn]));
  const [first, second] = halted.requests?.map(({ id }) => id) ?? [];
  expect([first, second].sort()).toEqual(['ticket-1', expect.stringMatching(/^(req_.*|ticket-1)$/)].sort());
  expect(first).not.toBe(second);
});

test('R10: two runs may use the same id of their own', async () => {
  const text = () => desk.play([{ toolCalls: [call('named', 'a')] }]);
  const [one, two] = await Promise.all([desk.client.run('desk', text()), desk.client.run('desk', text())]);
  expect([pendingId(one), pendingId(two)]).toEqual(['ticket-1', 'ticket-1']);
});

test('R19: empty, missing and repeated call ids are replaced everywhere; others stay as they are', async () => {
  const toolCalls = [
    call('probe', 'x'),
    call('probe', ''),
    call('probe'),
    call('stock', 'x'),
    call('stock', 'y'),
  ];
  const halted = await desk.client.run('desk', desk.play([{ toolCalls }]));
  const ids = ['x', 'call_1_1', 'call_1_2', 'call_1_3', 'y'];
  expect(halted.toolCalls.map(({ id }) => id)).toEqual(ids);
  expect(
    halted.messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : [])),
  ).toEqual(ids);
  expect(halted.messages[1]).toMatchObject({ tool_calls: ids.map((id) => ({ id })) });
  expect(seen.map(({ callId }) => callId).sort()).toEqual(['call_1_1', 'call_1_2', 'x']);
  expect(halted.pending?.data).toMatchObject({ calls: [{ id: 'call_1_3' }, { id: 'y' }] });
});

test('R19: an id that a later turn repeats does not confuse the calls', async () => {
  const turn = { toolCalls: [call('stock', 'same')] };
  const first = await desk.client.run('desk', desk.play([turn, turn, { content: 'Done.' }]));
  const answer = (id: string, output: string) => ({
    id,
    ok: true,
    data: { results: [{ id: 'same', output }] },
  });
  const second = await desk.client.runWithAnswer(first.runId, answer(pendingId(first), '1'));
  const done = await desk.client.runWithAnswer(first.runId, answer(pendingId(second), '2'));
  expect(done.toolCalls.map(({ output }) => output)).toEqual(['1', '2']);
});
