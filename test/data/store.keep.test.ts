import { randomBytes } from 'node:crypto';
import type { RunEvent } from '../../src/agent/event';
import { answerOutput } from '../../src/agent/relay';
import type { TestServer } from '../../src/testing';
import { defineAgent, defineTool } from '../../src/tools';
import { calls, newId, openDesk, pendingId, relayed, type Desk } from '../client/desk';
import { aesCodec } from './aes-codec';
import { MemoryStore } from './memory-store';
import { startCarryingServer } from '../support/carrying-server';
import { quietRuntime } from '../support/quiet-runtime';

const MB = 1_048_576;
const store = new MemoryStore();
let ran = 0;
const tools = [
  defineTool({
    name: 'fetch',
    description: 'Gives as many bytes as it is told to',
    inputSchema: { type: 'object', properties: { bytes: { type: 'integer' } }, required: ['bytes'] },
    execute: (args) => {
      ran += 1;
      return 'x'.repeat((args as { bytes: number }).bytes);
    },
  }),
  relayed,
];
const agents = [defineAgent({ name: 'desk', model: 'scripted', tools })];
let server: TestServer;
let desk: Desk;

/** A server that has every run continue as new after a few events, and workers that keep nothing in memory. */
beforeAll(async () => {
  quietRuntime('silent');
  server = await startCarryingServer();
  const payloadCodecs = [aesCodec(randomBytes(32))];
  const data = { payloadCodecs, payloadStore: store };
  desk = await openDesk(agents, server, { ...data, maxCachedWorkflows: 0 });
});
afterAll(async () => {
  await desk?.close();
  await server.stop();
});

const get = (bytes: number) => ({
  toolCalls: [{ id: `f${bytes}`, name: 'fetch', arguments: JSON.stringify({ bytes }) }],
});
const done = { content: 'Done.' };

async function historyBytes(workflowId: string): Promise<number> {
  const { raw } = await desk.client.temporal.workflow.getHandle(workflowId).describe();
  return Number(raw.workflowExecutionInfo?.historySizeBytes);
}

test('R38: with a store a result of 3 MB is kept there, encrypted, and the history stays small', async () => {
  const { runId, pending, toolCalls } = await desk.client.run(
    'desk',
    desk.play([get(3 * MB), calls('a'), done]),
  );
  expect(toolCalls[0]).toMatchObject({ isError: false });
  expect(toolCalls[0]?.output).toHaveLength(3 * MB);
  await desk.stopWorker();
  await desk.startWorker();
  const end = await desk.client.runWithAnswer(runId, answerOutput(pending?.id ?? '', '7'));
  expect(end).toMatchObject({ status: 'done', toolCallCount: 2 });
  expect(await historyBytes(runId)).toBeLessThan(100_000);
  const large = [...store.objects.values()].filter(({ byteLength }) => byteLength > 3 * MB);
  expect(large.length).toBeGreaterThan(0);
  for (const data of large) expect(Buffer.from(data).includes('xxxxxxxx')).toBe(false);
  const events: RunEvent[] = [];
  for await (const event of desk.client.events(runId)) events.push(event);
  expect(events.filter(({ type }) => type === 'tool')).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: 'run', status: 'done' });
}, 60_000);

test('looking at a run puts nothing into the store', async () => {
  const { runId } = await desk.client.run('desk', desk.play([get(800_000), calls('a')]));
  const before = store.objects.size;
  for (let n = 0; n < 3; n += 1) {
    const { toolCalls } = await desk.client.get(runId);
    expect(toolCalls[0]?.output).toHaveLength(800_000);
  }
  expect(store.objects.size).toBe(before);
  await desk.client.cancel(runId);
}, 60_000);

test('R38: over 4 MiB a result is an error that says the size, also with a store', async () => {
  const { toolCalls } = await desk.client.run('desk', desk.play([get(4 * MB), done]));
  expect(toolCalls).toMatchObject([{ isError: true }]);
  expect(toolCalls[0]?.output).toMatch(/^The result of fetch has 41943\d\d bytes, more than the 4194304 /);
}, 60_000);

test('a conversation of 4 MB continues as new, and its next ask goes on from all of it', async () => {
  const id = newId();
  const turns = Array.from({ length: 5 }, (_, n) => [get(800_000 + n), done]).flat();
  await desk.client.ask('desk', id, desk.play([...turns, calls('a'), done]));
  for (let n = 1; n < 5; n += 1)
    expect(await desk.client.ask('desk', id, `And ${n}?`)).toMatchObject({ status: 'done', text: 'Done.' });
  const halted = await desk.client.ask('desk', id, 'At last?');
  const end = await desk.client.askWithAnswer(id, answerOutput(pendingId(halted), '7'));
  expect(end).toMatchObject({ status: 'done', text: 'Done.' });
  const sizes = end.messages.map(({ content }) => (typeof content === 'string' ? content.length : 0));
  expect(sizes.filter((size) => size >= 800_000)).toHaveLength(5);
  const { raw } = await desk.client.temporal.workflow.getHandle(`conversation/${id}`).describe();
  const { firstRunId, execution } = raw.workflowExecutionInfo ?? {};
  expect(execution?.runId).not.toBe(firstRunId);
}, 120_000);

test('a store that is away for a moment loses no result, and no call runs twice', async () => {
  ran = 0;
  store.failing = 3;
  const { toolCalls, status } = await desk.client.run('desk', desk.play([get(MB), done]));
  expect(status).toBe('done');
  expect(toolCalls[0]).toMatchObject({ isError: false });
  expect(ran).toBe(1);
}, 60_000);

test('a store that is away for longer keeps a run waiting, and nothing of it is lost', async () => {
  const { runId, pending } = await desk.client.run('desk', desk.play([get(MB), calls('a'), done]));
  store.away = true;
  await desk.client.temporal.workflow
    .getHandle(runId)
    .signal('runWithAnswer', answerOutput(pending?.id ?? '', '7'));
  await expect(desk.client.get(runId, { waitMs: 3_000 })).rejects.toThrow();
  store.away = false;
  expect(await desk.client.result(runId)).toMatchObject({ status: 'done', toolCallCount: 2 });
}, 60_000);

test('a client without the store is told what it lacks', async () => {
  const { runId } = await desk.client.run('desk', desk.play([get(3 * MB), calls('a'), done]));
  const other = await desk.connect({ payloadStore: new MemoryStore() });
  try {
    await expect(other.get(runId)).rejects.toThrow(/The store has no such object/);
  } finally {
    await other.disconnect();
  }
  await desk.client.cancel(runId);
}, 60_000);
