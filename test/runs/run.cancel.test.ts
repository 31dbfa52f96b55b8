import { balanceProblem } from '../../src/agent/balance';
import { answerOutput } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import type { ToolContext } from '../../src/agent/tool';
import { defineAgent, defineTool } from '../../src/tools';
import { calls, newId, openDesk, pendingId, relayed, type Desk } from '../client/desk';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';

/** Contexts of the tools that have begun, by run. */
const begun = new Map<string, ToolContext>();

const heed = defineTool({
  name: 'heed',
  description: 'Stops when it is told to',
  execute: (_args, ctx) => {
    begun.set(ctx.runId ?? '', ctx);
    return new Promise<string>((resolve) => {
      ctx.signal.addEventListener('abort', () => resolve('stopped half way'));
    });
  },
});
const ignore = defineTool({
  name: 'ignore',
  description: 'Never stops',
  execute: (_args, ctx) => {
    begun.set(ctx.runId ?? '', ctx);
    return new Promise<never>(() => undefined);
  },
});
const last = defineTool({ name: 'last', description: 'Runs alone', exclusive: true, execute: () => 'ran' });

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  const tools = [relayed, heed, ignore, last];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })]);
});
afterAll(() => desk.close());

async function start(...names: string[]): Promise<string> {
  const toolCalls = names.map((name, n) => ({ id: `c${n}`, name, arguments: {} }));
  const { runId } = await desk.client.start('desk', desk.play([{ toolCalls }]));
  return runId;
}

async function cancelled(runId: string): Promise<RunResult> {
  await desk.client.cancel(runId);
  return desk.client.result(runId);
}

const engineStatus = async (runId: string) =>
  (await desk.client.temporal.workflow.getHandle(runId).describe()).status.name;

test('R34: a run cancelled during a tool ends as cancelled, with a result for every call', async () => {
  const runId = await start('heed', 'last');
  await until('the tool has begun', () => begun.has(runId));
  const result = await cancelled(runId);
  expect(result).toMatchObject({ status: 'cancelled', turns: 1, toolCallCount: 2 });
  expect(balanceProblem(result.messages)).toBeUndefined();
  expect(result.toolCalls).toMatchObject([
    { name: 'heed', isError: false, output: 'stopped half way' },
    { name: 'last', isError: true, output: 'not run: last (cancelled)' },
  ]);
  await expect(engineStatus(runId)).resolves.toBe('CANCELLED');
});

test("R8: a cancel aborts the run's own calls and no other run's", async () => {
  const [runId, other] = await Promise.all([start('heed'), start('heed')]);
  await until('both tools have begun', () => begun.has(runId) && begun.has(other));
  await cancelled(runId);
  expect(begun.get(runId)?.signal.aborted).toBe(true);
  expect(begun.get(other)?.signal.aborted).toBe(false);
  await cancelled(other);
});

test('R34: a tool that ignores its abort holds the end up for ten seconds; its outcome is unknown', async () => {
  const runId = await start('ignore');
  await until('the tool has begun', () => begun.has(runId));
  const asked = Date.now();
  const result = await cancelled(runId);
  expect(Date.now() - asked).toBeLessThan(20_000);
  expect(result.toolCalls).toMatchObject([
    {
      isError: true,
      output: 'outcome unknown: ignore may or may not have run (cancelled). Check before you call it again.',
    },
  ]);
});

test('R34: a halted run that is cancelled closes its requests; an answer then is refused', async () => {
  const halted = await desk.client.run('desk', desk.play([calls('a', 'b')]));
  const result = await cancelled(halted.runId);
  expect(result).toMatchObject({
    status: 'cancelled',
    toolCalls: [
      { output: 'declined/expired: relay tool call stock to the caller for execution', isError: true },
      { isError: true },
    ],
    receipts: [{ ok: false, via: 'cancel' }],
  });
  expect(result.pending).toBeUndefined();
  expect(balanceProblem(result.messages)).toBeUndefined();
  await expect(desk.client.answer(halted.runId, answerOutput(pendingId(halted), '1'))).rejects.toEqual(
    holdpointError('Holdpoint.Answer.RunClosed'),
  );
});

test('R34: a cancelled run leaves the list of open requests', async () => {
  const tenant = newId();
  const client = desk.client.forTenant(tenant);
  const halted = await client.run('desk', desk.play([calls('a')]));
  const rows = () => client.requests();
  await until('it is listed', async () => (await rows()).length === 1);
  await cancelled(`${tenant}/${halted.runId}`);
  await until('it is listed no more', async () => (await rows()).length === 0);
});

test('R8, R34: a cancel during a model call ends the request to the provider, and the run', async () => {
  const before = desk.model.requests.length;
  const hold = new Promise<never>(() => undefined);
  const { runId } = await desk.client.start('desk', desk.play([{ content: 'Never.', hold }]));
  const request = await desk.model.waitForRequest(before + 1);
  const result = await cancelled(runId);
  await request.clientGone;
  expect(result).toMatchObject({ status: 'cancelled', turns: 1, text: '', messages: [{ role: 'user' }] });
});

test('R34: what a call brought back before the cancel is kept', async () => {
  const halted = await desk.client.run('desk', desk.play([calls('a'), calls('b')]));
  await desk.client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '7'));
  const result = await cancelled(halted.runId);
  expect(result.toolCalls).toMatchObject([{ output: '7', isError: false }, { isError: true }]);
});

test('R34: a cancel sent while no worker runs is carried out by the one that comes', async () => {
  const halted = await desk.client.run('desk', desk.play([calls('a')]));
  await desk.stopWorker();
  await desk.client.cancel(halted.runId);
  await desk.startWorker();
  await expect(desk.client.result(halted.runId)).resolves.toMatchObject({ status: 'cancelled' });
});

test('R34: cancelling a run that has ended says so', async () => {
  const done = await desk.client.run('desk', desk.play([{ content: 'Hello.' }]));
  await expect(desk.client.cancel(done.runId)).rejects.toEqual(holdpointError('Holdpoint.Run.Closed'));
});
