import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { WithStartWorkflowOperation } from '@temporalio/client';
import { answerOutput } from '../../src/agent/relay';
import { startTimeSkippingServer } from '../../src/testing';
import { defineAgent, relayTool } from '../../src/tools';
import { newId, openDesk, type Desk } from '../client/desk';
import { bareRun, type BareRun } from '../support/bare-run';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';

// Its server is a Java program, which starts slowly on a busy machine.
jest.setTimeout(180_000);

let environment: TestWorkflowEnvironment;
let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  environment = await startTimeSkippingServer({ onProgress: (line) => process.stderr.write(`${line}\n`) });
  const address = environment.address;
  const ask = relayTool({ name: 'ask', description: 'Asks a supplier', expiresIn: '30 days' });
  const agent = defineAgent({ name: 'desk', model: 'scripted', tools: [ask] });
  const namespace = environment.namespace ?? 'default';
  desk = await openDesk([agent], { address, namespace });
});
afterAll(async () => {
  await desk?.close();
  await environment?.teardown();
});

const ask = { toolCalls: [{ id: 'a', name: 'ask', arguments: {} }] };

/** Asked again and again: this server tells whoever waits of a change only after twenty seconds. */
const reaches = (run: BareRun, status: string): Promise<void> =>
  until(`it is ${status}`, async () => (await run.state()).status === status);

async function halted(limits: object = {}): Promise<BareRun & { readonly requestId: string }> {
  const { runId } = await desk.client.start('desk', desk.play([ask, { content: 'Done.' }]), { limits });
  return parked(bareRun(desk.client, runId));
}

async function parked(run: BareRun): Promise<BareRun & { readonly requestId: string }> {
  await reaches(run, 'pending');
  const [open] = (await run.state()).requests;
  return { ...run, requestId: open?.request.id ?? '' };
}

test('R31: a request of thirty days is open on the 29th and expires by itself on the 30th', async () => {
  const run = await halted();
  await environment.sleep('29 days');
  await expect(run.state()).resolves.toMatchObject({ status: 'pending', receipts: [] });
  await environment.sleep('25 hours');
  await reaches(run, 'done');
  const { receipts } = await run.state();
  expect(receipts).toMatchObject([{ receipt: { requestId: run.requestId, ok: false, via: 'expiry' } }]);
});

test('R36: an answer after 29 days resumes the run; waiting used up none of its time', async () => {
  const run = await halted({ timeoutMs: 60_000 });
  await environment.sleep('29 days');
  await run.update(answerOutput(run.requestId, '3'));
  await reaches(run, 'done');
});

test('a client waits for halts on this server too', async () => {
  const result = await desk.client.run('desk', desk.play([ask, { content: 'Done.' }]));
  expect(result).toMatchObject({ status: 'pending' });
  const done = await desk.client.runWithAnswer(result.runId, answerOutput(result.pending?.id ?? '', '3'));
  expect(done).toMatchObject({ status: 'done' });
});

describe('R40: a conversation', () => {
  async function converse(idleTtlMs?: number) {
    const workflowId = `conversation/${newId()}`;
    const startWorkflowOperation = new WithStartWorkflowOperation('agentConversation', {
      workflowId,
      taskQueue: desk.taskQueue,
      args: [{ agent: 'desk', ...(idleTtlMs && { idleTtlMs }) }],
      workflowIdConflictPolicy: 'FAIL',
    });
    const { workflow } = desk.client.temporal;
    const begin = (input: string) =>
      workflow.executeUpdateWithStart('ask', { args: [{ input }], startWorkflowOperation });
    return { begin, handle: workflow.getHandle(workflowId), run: bareRun(desk.client, workflowId) };
  }
  const statusOf = async ({ handle }: Awaited<ReturnType<typeof converse>>) =>
    (await handle.describe()).status.name;

  test('is open after 89 idle days and closed after 90', async () => {
    const conversation = await converse();
    await conversation.begin(desk.play([{ content: 'Hello.' }]));
    await reaches(conversation.run, 'done');
    await environment.sleep('89 days');
    await expect(statusOf(conversation)).resolves.toBe('RUNNING');
    await environment.sleep('2 days');
    await expect(conversation.handle.result()).resolves.toEqual({ asks: 1, closedBy: 'idle' });
  });

  test('is not idle while it waits for an answer', async () => {
    const conversation = await converse(3_600_000);
    await conversation.begin(desk.play([ask, { content: 'Done.' }]));
    const { requestId } = await parked(conversation.run);
    await environment.sleep('5 days');
    await expect(statusOf(conversation)).resolves.toBe('RUNNING');
    await conversation.run.update(answerOutput(requestId, '3'));
    await reaches(conversation.run, 'done');
  });
});
