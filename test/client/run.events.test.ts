import { answerOutput } from '../../src/agent/relay';
import type { RunEvent } from '../../src/agent/event';
import { defineAgent, defineTool } from '../../src/tools';
import type { TestServer } from '../../src/testing';
import { startCarryingServer } from '../support/carrying-server';
import { holdpointError, objectWith } from '../support/matchers';
import { calls, newId, openDesk, pendingId, relayed, type Desk } from './desk';

const refund = defineTool({
  name: 'refund',
  description: 'Pays money back',
  needsApproval: true,
  execute: () => 'paid',
});
const agent = defineAgent({ name: 'desk', model: 'scripted', tools: [refund, relayed] });

let server: TestServer;
let desk: Desk;

/** Runs of this server continue as new after a few turns. */
beforeAll(async () => {
  server = await startCarryingServer(40);
  desk = await openDesk([agent], server);
});
afterAll(async () => {
  await desk?.close();
  await server.stop();
});

async function read(runId: string, after?: number): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const from = after === undefined ? {} : { after };
  for await (const event of desk.client.events(runId, { follow: false, ...from })) events.push(event);
  return events;
}

const refundTurn = { toolCalls: [{ id: 'r', name: 'refund', arguments: { euros: 5 } }] };

test('R43, R44: a run tells its model calls, tool calls, requests, answers and end, with times and tokens', async () => {
  const { client } = desk;
  const halted = await client.run('desk', desk.play([refundTurn, { content: 'Done.' }]));
  const requestId = pendingId(halted);
  const { runId } = await client.runWithAnswer(halted.runId, { id: requestId, ok: true });
  const events = await read(runId);
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown;
  const about = { runId, startedAt: instant, endedAt: instant, position: expect.any(Number) as unknown };
  const usage = objectWith({ totalTokens: expect.any(Number) as unknown });
  const model = { ...about, type: 'model', model: 'scripted', usage };
  expect(events).toEqual([
    { ...model, turn: 1, finishReason: 'tool_calls' },
    { ...about, turn: 1, type: 'request', requestId, kind: 'approval', callIds: ['r'] },
    { ...about, turn: 1, type: 'answer', requestId, ok: true, resolved: true, via: 'signal' },
    { ...about, turn: 1, type: 'tool', callId: 'r', name: 'refund', isError: false, pending: false },
    { ...model, turn: 2, finishReason: 'stop' },
    { ...about, turn: 2, type: 'run', status: 'done' },
  ]);
  const positions = events.map(({ position }) => position);
  expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
});

test('R44: reading follows a run to its end, through halts, without a worker and without a trace in its history', async () => {
  const { client } = desk;
  const halted = await client.run('desk', desk.play([calls('a', 'b'), { content: 'Done.' }]));
  const handle = client.temporal.workflow.getHandle(halted.runId);
  const { historyLength } = await handle.describe();
  const reading = client.events(halted.runId)[Symbol.asyncIterator]();
  const next = async () => ((await reading.next()) as IteratorYieldResult<RunEvent>).value;
  await desk.stopWorker();
  expect(await next()).toMatchObject({ type: 'model' });
  expect(await next()).toMatchObject({ type: 'request', kind: 'tool_call', callIds: ['a', 'b'] });
  expect((await handle.describe()).historyLength).toBe(historyLength);
  const coming = next();
  await desk.startWorker();
  const requestId = pendingId(halted);
  await client.answer(halted.runId, {
    id: requestId,
    ok: true,
    data: { results: [{ id: 'b', output: '1' }] },
  });
  expect(await coming).toMatchObject({ type: 'answer', resolved: false, via: 'update' });
  await client.answer(halted.runId, answerOutput(requestId, '2'));
  expect(await next()).toMatchObject({ type: 'answer', resolved: true });
  for (const type of ['model', 'run']) expect(await next()).toMatchObject({ type });
  expect(await reading.next()).toEqual({ done: true, value: undefined });
});

test('R44: positions stay, and reading goes on after any of them, in a run that continued as new', async () => {
  const { client } = desk;
  const turns = 8;
  const script = [...Array.from({ length: turns }, (_, n) => calls(`c${n}`)), { content: 'Done.' }];
  let halt = await client.run('desk', desk.play(script));
  const seen: RunEvent[] = [];
  while (halt.pending) {
    seen.push(...(await read(halt.runId, seen.at(-1)?.position)));
    halt = await client.runWithAnswer(halt.runId, answerOutput(pendingId(halt), '1'));
  }
  seen.push(...(await read(halt.runId, seen.at(-1)?.position)));
  const { raw, runId: last } = await client.temporal.workflow.getHandle(halt.runId).describe();
  expect(raw.workflowExecutionInfo?.firstRunId).not.toBe(last);
  const all = await read(halt.runId);
  expect(all.map(({ type }) => type)).toEqual([
    ...Array.from({ length: turns }, () => ['model', 'request', 'answer']).flat(),
    'model',
    'run',
  ]);
  expect(seen).toEqual(all);
  expect(all.map(({ turn }) => turn)).toEqual([
    ...Array.from({ length: turns }, (_, n) => [n + 1, n + 1, n + 1]).flat(),
    turns + 1,
    turns + 1,
  ]);
  for (const [n, { position }] of all.entries())
    if (n % 7 === 0) expect(await read(halt.runId, position)).toEqual(all.slice(n + 1));
});

test('R39, R44: each ask of a conversation has events of its own, to its end', async () => {
  const { client } = desk;
  const id = newId();
  const text = desk.play([calls('a'), { content: 'First.' }, { content: 'Second.' }]);
  const first = await client.ask('desk', id, text);
  await client.askWithAnswer(id, answerOutput(pendingId(first), '1'));
  const second = await client.ask('desk', id, 'And?');
  const types = async (runId: string) => (await read(runId)).map(({ type }) => type);
  expect(await types(first.runId)).toEqual(['model', 'request', 'answer', 'model', 'run']);
  expect(await types(second.runId)).toEqual(['model', 'run']);
});

test('R34, R44: a run that was cancelled, or ended from outside, tells its end and what closed its requests', async () => {
  const { client } = desk;
  const cancelled = await client.run('desk', desk.play([calls('a')]));
  await client.cancel(cancelled.runId);
  await client.result(cancelled.runId);
  const ended = [objectWith({ type: 'run', status: 'cancelled' })];
  const closed = objectWith({ type: 'answer', ok: false, via: 'cancel' });
  expect((await read(cancelled.runId)).slice(2)).toEqual([closed, ...ended]);
  const terminated = await client.run('desk', desk.play([calls('a')]));
  await client.temporal.workflow.getHandle(terminated.runId).terminate();
  expect((await read(terminated.runId)).at(-1)).toMatchObject({ type: 'run', status: 'failed' });
});

test('R44: an unknown run, a wrong position and a wait limit are told apart', async () => {
  const { client } = desk;
  await expect(read(newId())).rejects.toEqual(holdpointError('Holdpoint.Run.NotFound'));
  await expect(read('x', 0.5)).rejects.toEqual(
    holdpointError('Holdpoint.Client.InvalidOptions', /`after` to be the position of an event, got 0.5/),
  );
  const { runId } = await client.run('desk', desk.play([calls('a')]));
  const reading = client.events(runId, { waitMs: 500 });
  await expect(async () => {
    for await (const event of reading) expect(event.type).not.toBe('run');
  }).rejects.toEqual(holdpointError('Holdpoint.Client.WaitTimedOut', /`after`/));
  const stop = new AbortController();
  const stopped = client.events(runId, { signal: stop.signal });
  await expect(async () => {
    for await (const event of stopped) if (event.type === 'request') stop.abort(new Error('enough'));
  }).rejects.toThrow('enough');
});
