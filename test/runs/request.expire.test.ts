import { answerOutput, relayAnswer } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { defineAgent, defineTool, relayTool } from '../../src/tools';
import { openDesk, pendingId, type Desk } from '../client/desk';
import { bareRun } from '../support/bare-run';
import { holdpointError, holdpointFailure } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';

const SOON_MS = 6_000;

let refunds = 0;
const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order',
  needsApproval: true,
  expiresIn: SOON_MS,
  execute: () => `refund ${(refunds += 1)}`,
});
const quick = relayTool({ name: 'quick', description: 'Answers soon', expiresIn: SOON_MS });
const slow = relayTool({ name: 'slow', description: 'Takes its time', expiresIn: '1 hour' });
const patient = relayTool({ name: 'patient', description: 'Has all the time' });

const DECLINED = 'declined/expired: relay tool call quick to the caller for execution';

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  const tools = [refund, quick, slow, patient];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })]);
});
afterAll(() => desk.close());

function halt(...names: string[]): Promise<RunResult> {
  const toolCalls = names.map((name) => ({ id: name, name, arguments: {} }));
  return desk.client.run('desk', desk.play([{ toolCalls }, { content: 'Done.' }]));
}

const deadlineOf = ({ pending }: RunResult): number => Date.parse(pending?.expiresAt ?? '');

test('R31: at its deadline a request is declined as expired, by the run itself', async () => {
  const halted = await halt('quick');
  const done = await desk.client.result(halted.runId);
  expect(done).toMatchObject({ status: 'done', toolCalls: [{ output: DECLINED, isError: true }] });
  expect(done.receipts).toMatchObject([{ ok: false, via: 'expiry', requestId: pendingId(halted) }]);
  const [receipt] = done.receipts ?? [];
  expect(Date.parse(receipt?.at ?? '')).toBeGreaterThanOrEqual(deadlineOf(halted));
});

test('R20: relay calls of one message expire together, at the earliest of their deadlines', async () => {
  const halted = await halt('slow', 'quick', 'patient');
  expect(halted.requests).toHaveLength(1);
  const done = await desk.client.result(halted.runId);
  expect(done.toolCalls.map(({ isError }) => isError)).toEqual([true, true, true]);
});

test('R31: results that came before the deadline stay; only the open calls expire', async () => {
  const halted = await halt('slow', 'quick');
  await desk.client.answer(halted.runId, relayAnswer(pendingId(halted), [{ id: 'slow', output: '1' }]));
  const done = await desk.client.result(halted.runId);
  expect(done.toolCalls).toMatchObject([{ output: '1' }, { output: DECLINED }]);
});

test('R29, R31: after its deadline an answer is refused as Expired by every channel', async () => {
  const text = desk.play([
    { toolCalls: [{ id: 'quick', name: 'quick', arguments: {} }] },
    { toolCalls: [{ id: 'patient', name: 'patient', arguments: {} }] },
  ]);
  const halted = await desk.client.run('desk', text);
  const run = bareRun(desk.client, halted.runId);
  await until('it waits for the patient one', async () => (await run.state()).turns === 2);
  await desk.client.waitForHalt(halted.runId);
  const late = answerOutput(pendingId(halted), '1');
  await expect(run.update(late)).rejects.toEqual(holdpointFailure('Holdpoint.Answer.Expired'));
  await run.signal(late);
  expect((await run.state()).rejections).toMatchObject([{ error: { type: 'Holdpoint.Answer.Expired' } }]);
  const expired = holdpointError('Holdpoint.Answer.Expired');
  await expect(desk.client.answer(halted.runId, late)).rejects.toEqual(expired);
  await expect(desk.client.runWithAnswer(halted.runId, late)).rejects.toEqual(expired);
});

test('R31: an approval that came late while no worker ran is refused: the tool does not run', async () => {
  const before = refunds;
  const halted = await halt('refund');
  const run = bareRun(desk.client, halted.runId);
  await desk.stopWorker();
  await until('its deadline has passed', () => Date.now() > deadlineOf(halted));
  await run.signal({ id: pendingId(halted), ok: true, answerId: 'late' });
  await desk.startWorker();
  const done = await desk.client.result(halted.runId);
  expect(done.toolCalls).toMatchObject([{ output: 'declined/expired: approve refund({})', isError: true }]);
  expect(done.receipts).toMatchObject([{ ok: false, via: 'expiry' }]);
  expect((await run.state()).rejections).toMatchObject([
    { answerId: 'late', error: { type: 'Holdpoint.Answer.Expired' } },
  ]);
  expect(refunds).toBe(before);
});

test('R31: an approval that its run can only take after the deadline is refused, although it was sent before', async () => {
  const before = refunds;
  const halted = await halt('refund');
  await desk.stopWorker();
  await bareRun(desk.client, halted.runId).signal({ id: pendingId(halted), ok: true });
  await until('its deadline has passed', () => Date.now() > deadlineOf(halted));
  await desk.startWorker();
  const done = await desk.client.result(halted.runId);
  // The run cannot tell when it was sent, only when it took it: it fails closed.
  expect(done.toolCalls).toMatchObject([{ isError: true }]);
  expect(refunds).toBe(before);
});

test('R31: a late result that the engine delivers before the expiry wins, and its receipt says that it was late', async () => {
  const halted = await halt('quick');
  await desk.stopWorker();
  await until('its deadline has passed', () => Date.now() > deadlineOf(halted));
  await bareRun(desk.client, halted.runId).signal(answerOutput(pendingId(halted), '7'));
  await desk.startWorker();
  const done = await desk.client.result(halted.runId);
  expect(done.toolCalls).toMatchObject([{ output: '7' }]);
  expect(done.receipts).toMatchObject([{ ok: true, via: 'signal', late: true }]);
});
