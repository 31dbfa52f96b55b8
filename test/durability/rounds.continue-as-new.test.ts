import type { TestServer } from '../../src/testing';
import { agentTool, defineAgent } from '../../src/tools';
import { agentTools } from '../../src/mcp/run/agent-tools';
import { newId, openDesk, type Desk } from '../client/desk';
import { askingTool, form } from '../mcp/asking-tool';
import { startCarryingServer } from '../support/carrying-server';
import { bareRun } from '../support/bare-run';
import { until } from '../support/until';

let server: TestServer;
let desk: Desk;
const { tool, calls } = askingTool([{ one: form, two: form }, { three: form }]);

/** A server that has every run continue as new after a few events. */
beforeAll(async () => {
  server = await startCarryingServer();
  const clerk = defineAgent({ name: 'clerk', model: 'scripted', tools: agentTools(tool) });
  const manager = defineAgent({ name: 'manager', model: 'scripted', tools: [agentTool(clerk)] });
  desk = await openDesk([clerk, manager], server);
});
beforeEach(() => calls.splice(0));
afterAll(async () => {
  await desk?.close();
  await server.stop();
});

const booking = { toolCalls: [{ id: 'b', name: 'book', arguments: {} }] };
const done = { content: 'Done.' };
const accept = (id: string, seat: string) => ({ id, ok: true, data: { content: { seat } } });
const responses = () => calls.map(({ inputResponses }) => inputResponses);
const accepted = (seat: string) => ({ action: 'accept', content: { seat } });

/** Enough events for a halted run to continue as new. */
async function moveOn(runId: string): Promise<void> {
  const handle = desk.client.temporal.workflow.getHandle(runId);
  const bare = bareRun(desk.client, runId);
  const { runId: before } = await handle.describe();
  for (let n = 0; n < 25; n += 1) await bare.signal({ id: 'nothing', ok: true, answerId: newId() });
  await until('it has continued as new', async () => (await handle.describe()).runId !== before);
}

test('a half-answered round outlives continue-as-new and its worker, and no round runs twice', async () => {
  const halted = await desk.client.run('clerk', desk.play([booking, done]));
  const [one, two] = halted.requests ?? [];
  await desk.client.answer(halted.runId, accept(two?.id ?? '', 'b'));
  await moveOn(halted.runId);
  await desk.stopWorker();
  await desk.startWorker();
  const third = await desk.client.runWithAnswer(halted.runId, accept(one?.id ?? '', 'a'));
  await moveOn(halted.runId);
  const result = await desk.client.runWithAnswer(halted.runId, accept(third.pending?.id ?? '', 'c'));
  expect(result.status).toBe('done');
  expect(responses()).toEqual([{}, { one: accepted('a'), two: accepted('b') }, { three: accepted('c') }]);
});

test('a sub-agent’s round is answered on the outermost run, each question for itself', async () => {
  const input = desk.play([booking, done]);
  const turns = [{ toolCalls: [{ id: 'c', name: 'clerk', arguments: { input } }] }, done];
  const halted = await desk.client.run('manager', desk.play(turns));
  const [one, two] = halted.requests ?? [];
  expect(one).toMatchObject({ kind: 'input', path: ['clerk'] });
  const still = await desk.client.runWithAnswer(halted.runId, accept(one?.id ?? '', 'a'));
  expect(still).toMatchObject({ status: 'pending', pending: { id: two?.id } });
  await desk.client.answer(halted.runId, { id: two?.id ?? '', ok: false, reason: 'no' });
  const third = await desk.client.waitForHalt(halted.runId);
  const result = await desk.client.runWithAnswer(halted.runId, accept(third.pending?.id ?? '', 'c'));
  expect(result.status).toBe('done');
  expect(responses()).toEqual([
    {},
    { one: accepted('a'), two: { action: 'decline' } },
    { three: accepted('c') },
  ]);
});
