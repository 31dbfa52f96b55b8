/** The examples of the public page on the context of Rust's tools, each as a durable run. */
import { setTimeout as delay } from 'node:timers/promises';
import { errorResult, okResult, type ToolContext } from '../../src/agent/tool';
import { defineAgent, defineTool, pending, type CustomTool } from '../../src/tools';
import { openDesk, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';

const begun = new Set<string>();
/** How the slow tool ended, by run. */
const ended = new Map<string, string>();

const slow = defineTool({
  name: 'slow',
  description: 'Waits five minutes',
  async execute(_args, { signal, runId = '' }) {
    begun.add(runId);
    const how = await delay(300_000, 'done', { signal }).catch(() => 'cancelled');
    ended.set(runId, how);
    if (how === 'cancelled') throw new Error(how);
    return how;
  },
});

/** Bounds its own waiting by the budget that it is told. */
async function fetched(_args: unknown, { timeoutMs }: ToolContext): Promise<string> {
  const work = delay(200, 'finished');
  if (timeoutMs === 0) return work;
  const budget = delay(timeoutMs).then(() => Promise.reject(new Error(`timed out after ${timeoutMs}ms`)));
  return Promise.race([work, budget]);
}
const tight = defineTool({
  name: 'tight',
  description: 'Simulates a 200 ms call',
  timeoutMs: 20,
  execute: fetched,
});
const loose = defineTool({ name: 'loose', description: 'Simulates a 200 ms call', execute: fetched });

const confirm: CustomTool = {
  name: 'confirm',
  description: 'Ask first',
  execute: (_args, { answer }) => {
    if (!answer) return pending({ kind: 'approval', prompt: 'Proceed?' });
    return answer.ok ? okResult('confirmed') : errorResult(`declined: ${answer.reason ?? ''}`);
  },
};

let callIds: (string | undefined)[] = [];
const probe = defineTool({
  name: 'probe',
  description: 'records its call id',
  execute: (_args, { callId }) => {
    callIds.push(callId);
    return 'ok';
  },
});

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  const tools = [slow, tight, loose, confirm, probe];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })], undefined, {
    // The person who approves every request.
    waitFor: ({ id }) => ({ id, ok: true }),
  });
});
afterAll(() => desk.close());

const call = (id: string, name: string) => ({ id, name, arguments: {} });

test('R8: a tool that heeds its signal ends promptly when its run is cancelled; another run goes on', async () => {
  const play = () => desk.play([{ toolCalls: [call('c1', 'slow')] }]);
  const [one, other] = await Promise.all([
    desk.client.start('desk', play()),
    desk.client.start('desk', play()),
  ]);
  await until('both have begun', () => begun.has(one.runId) && begun.has(other.runId));
  await desk.client.cancel(one.runId);
  await expect(desk.client.result(one.runId)).resolves.toMatchObject({ status: 'cancelled' });
  expect(ended.get(one.runId)).toBe('cancelled');
  expect(ended.has(other.runId)).toBe(false);
  await desk.client.cancel(other.runId);
});

test("R9: a tool bounds itself by its call's budget; 0 means that there is none", async () => {
  const turns = [{ toolCalls: [call('c1', 'tight'), call('c2', 'loose')] }, { content: 'done' }];
  const result = await desk.client.run('desk', desk.play(turns));
  expect(result.toolCalls).toMatchObject([
    { isError: true, output: 'timed out after 20ms' },
    { isError: false, output: 'finished' },
  ]);
});

test('R7, R28: `answer` is there on the execution that follows the suspension', async () => {
  const turns = [{ toolCalls: [{ name: 'confirm', arguments: {} }] }, { content: 'tool said: confirmed' }];
  const result = await desk.client.run('desk', desk.play(turns));
  expect(result).toMatchObject({ status: 'done', toolCalls: [{ output: 'confirmed', isError: false }] });
});

test('R9: sibling calls are told apart by their call ids; outside a run there is none', async () => {
  const turns = [{ toolCalls: [call('call_a', 'probe'), call('call_b', 'probe')] }, { content: 'done' }];
  await desk.client.run('desk', desk.play(turns));
  await probe.call?.({});
  expect(callIds.slice(0, 2).sort()).toEqual(['call_a', 'call_b']);
  expect(callIds[2]).toBeUndefined();
  callIds = [];
});
