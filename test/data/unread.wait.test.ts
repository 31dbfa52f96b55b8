import type { PayloadCodec } from '@temporalio/common';
import { encode } from '@temporalio/common/lib/encoding';
import { startTestServer, type TestServer } from '../../src/testing';
import { agentTool, defineAgent, defineTool } from '../../src/tools';
import { newId, openDesk, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { MemoryStore } from './memory-store';

const store = new MemoryStore();
let ran = 0;
const take = defineTool({
  name: 'take',
  description: 'Takes a text',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  execute: () => {
    ran += 1;
    return 'taken';
  },
});
const clerk = defineAgent({ name: 'clerk', model: 'scripted', tools: [] });
const agents = [defineAgent({ name: 'desk', model: 'scripted', tools: [take, agentTool(clerk)] })];
let isReadable = true;
const CARRIED = 'binary/carried';
const WRITTEN = /^\{"schema":1,|"text":"I am the clerk/;
/** Writes what an execution hands on, and how a sub-agent ended, so that it can be read at times. */
const timesCodec: PayloadCodec = {
  encode: (payloads) =>
    Promise.resolve(
      payloads.map((payload) =>
        WRITTEN.test(Buffer.from(payload.data ?? '').toString())
          ? { ...payload, metadata: { encoding: encode(CARRIED) } }
          : payload,
      ),
    ),
  decode: (payloads) =>
    Promise.resolve(
      payloads.map((payload) =>
        isReadable && Buffer.from(payload.metadata?.['encoding'] ?? '').equals(encode(CARRIED))
          ? { ...payload, metadata: { encoding: encode('json/plain') } }
          : payload,
      ),
    ),
};
let server: TestServer;
let desk: Desk;

beforeAll(async () => {
  quietRuntime('silent');
  server = await startTestServer({
    dedicated: true,
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': 25 },
  });
  desk = await openDesk(agents, server, {
    payloadCodecs: [timesCodec],
    payloadStore: store,
    maxCachedWorkflows: 0,
  });
});
afterAll(async () => {
  await desk?.close();
  await server.stop();
});

async function hasFailedTask(workflowId: string): Promise<boolean> {
  const { events } = await desk.client.temporal.workflow.getHandle(workflowId).fetchHistory();
  return events?.some((event) => event.workflowTaskFailedEventAttributes) === true;
}

test('R33: a call whose input cannot be read has not begun: it is tried again, and is no unknown outcome', async () => {
  ran = 0;
  let looks = 0;
  store.thresholdBytes = 100;
  store.onGet = (key) => {
    const isInput = Buffer.from(store.objects.get(key) ?? '').includes('"mode":"run"');
    return isInput && (looks += 1) <= 6 ? Promise.reject(new Error('It is away')) : Promise.resolve();
  };
  const turn = { toolCalls: [{ id: 't', name: 'take', arguments: '{"text":"x"}' }] };
  const { toolCalls } = await desk.client.run('desk', desk.play([turn, { content: 'Done.' }]));
  expect(toolCalls).toMatchObject([{ name: 'take', output: 'taken', isError: false }]);
  expect(ran).toBe(1);
  expect(looks).toBeGreaterThan(6);
  store.onGet = () => Promise.resolve();
}, 60_000);

test('a worker that cannot read what a conversation hands on waits, and does not begin it anew', async () => {
  const id = newId();
  const workflowId = `conversation/${id}`;
  const done = { content: 'Done.' };
  const first = desk.play(Array.from({ length: 12 }, () => done));
  await desk.client.ask('desk', id, first);
  isReadable = false;
  let asks = 1;
  const asked = (async () => {
    for (; asks < 8; asks += 1) await desk.client.ask('desk', id, `More ${asks}`);
  })();
  await until('it has tried', () => hasFailedTask(workflowId));
  isReadable = true;
  await asked;
  const { messages } = await desk.client.ask('desk', id, 'At last?');
  expect(messages[0]).toMatchObject({ role: 'user', content: first });
  expect(messages).toHaveLength(2 * (asks + 1));
}, 90_000);

test('a worker that cannot read how a sub-agent ended waits, and makes no result of it', async () => {
  const below = desk.play([{ content: 'I am the clerk.' }]);
  const turn = { toolCalls: [{ id: 'c', name: 'clerk', arguments: JSON.stringify({ input: below }) }] };
  isReadable = false;
  const { runId } = await desk.client.start('desk', desk.play([turn, { content: 'Done.' }]));
  await until('it has tried', () => hasFailedTask(runId));
  isReadable = true;
  const { toolCalls, status } = await desk.client.result(runId);
  expect(status).toBe('done');
  expect(toolCalls).toMatchObject([{ name: 'clerk', output: 'I am the clerk.', isError: false }]);
}, 60_000);
