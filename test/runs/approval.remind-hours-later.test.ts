import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { approve } from '../../src/agent/decisions';
import { startTimeSkippingServer } from '../../src/testing';
import { defineAgent, defineTool } from '../../src/tools';
import { openDesk, type Desk } from '../client/desk';
import { bareRun } from '../support/bare-run';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';

// Its server is a Java program, which starts slowly on a busy machine.
jest.setTimeout(180_000);

let environment: TestWorkflowEnvironment;
let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  environment = await startTimeSkippingServer({ onProgress: (line) => process.stderr.write(`${line}\n`) });
  const refund = defineTool({
    name: 'refund',
    description: 'Pays back',
    needsApproval: true,
    approvers: ['ann'],
    remindAfter: '1 hour',
    escalateAfter: '4 hours',
    escalateTo: ['boss'],
    expiresIn: '2 days',
    execute: () => 'paid',
  });
  const agent = defineAgent({ name: 'desk', model: 'scripted', tools: [refund] });
  const { address, namespace = 'default' } = environment;
  desk = await openDesk([agent], { address, namespace });
});
afterAll(async () => {
  await desk?.close();
  await environment?.teardown();
});

async function parked() {
  const turn = { toolCalls: [{ id: 'a', name: 'refund', arguments: {} }] };
  const { runId } = await desk.client.start('desk', desk.play([turn, { content: 'Done.' }]));
  const run = bareRun(desk.client, runId);
  await until('it is halted', async () => (await run.state()).status === 'pending');
  const request = async () => (await run.state()).requests[0]?.request;
  return { run, id: (await request())?.id ?? '', request };
}

test('a request is reminded of at 1 h, escalated at 4 h, and answered at 30 h by those it escalated to', async () => {
  const { run, id, request } = await parked();
  await environment.sleep('59 minutes');
  expect((await request())?.policy).not.toHaveProperty('remindedAt');
  await environment.sleep('2 minutes');
  expect((await request())?.policy).toHaveProperty('remindedAt');
  await expect(run.update(approve(id, { by: 'boss' }))).rejects.toThrow();
  await environment.sleep('3 hours');
  expect((await request())?.policy).toHaveProperty('escalatedAt');
  await environment.sleep('26 hours');
  await run.update(approve(id, { by: 'boss' }));
  await until('it is done', async () => (await run.state()).status === 'done');
  expect((await run.state()).receipts).toMatchObject([{ receipt: { by: 'boss', as: 'boss', ok: true } }]);
});

test('no timer approves: unanswered, the call is declined', async () => {
  const { run } = await parked();
  await environment.sleep('49 hours');
  await until('it is done', async () => (await run.state()).status === 'done');
  expect((await run.state()).receipts).toMatchObject([{ receipt: { ok: false, via: 'expiry' } }]);
});
