import type { HoldpointClient } from '../../src/client';
import { answerOutput } from '../../src/agent/relay';
import { holdpointError, matching, objectWith } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { calls, newId, openDesk, pendingId, type Desk } from './desk';

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk();
});
afterAll(() => desk?.close());

/** Runs `use` while no worker serves the desk. */
async function withoutWorker(use: () => Promise<void>): Promise<void> {
  await desk.stopWorker();
  try {
    await use();
  } finally {
    await desk.startWorker();
  }
}

test('R35: status and text of a closed run come from its close event, without a worker', async () => {
  const { client } = desk;
  const brief = { messages: false, waitMs: 10_000 };
  const done = await client.run('desk', desk.play([{ content: 'Done.' }]), brief);
  const failed = await client.run('desk', desk.play([{ status: 401 }]), brief);
  const cancelled = await client.run('desk', desk.play([calls('a')]), brief);
  await client.cancel(cancelled.runId);
  await client.result(cancelled.runId);
  const terminated = await client.run('desk', desk.play([calls('a')]), brief);
  await client.temporal.workflow.getHandle(terminated.runId).terminate('the operator did it');
  await withoutWorker(async () => {
    await expect(client.result(done.runId, brief)).resolves.toEqual(done);
    await expect(client.get(failed.runId, brief)).resolves.toEqual(failed);
    await expect(client.waitForHalt(cancelled.runId, brief)).resolves.toMatchObject({ status: 'cancelled' });
    await expect(client.result(terminated.runId, brief)).resolves.toMatchObject({
      status: 'failed',
      error: { type: 'Holdpoint.Run.Failed', message: 'the operator did it' },
    });
  });
  // With a worker, what the run had done before it was cut off is there as well.
  await expect(client.result(terminated.runId)).resolves.toMatchObject({
    status: 'failed',
    toolCallCount: 1,
  });
});

test('a wait that ends without a worker says so, and how to go on', async () => {
  const { client } = desk;
  await using nobody = await desk.connect({ taskQueue: newId() });
  const runId = newId();
  const error = holdpointError('Holdpoint.Client.WaitTimedOut', /No worker polls task queue.*waitForHalt/, {
    runId,
    workers: 0,
  });
  await expect(nobody.run('desk', 'x', { runId, waitMs: 1_000 })).rejects.toEqual(error);
  await expect(nobody.get(runId, { waitMs: 500 })).rejects.toEqual(
    holdpointError('Holdpoint.Client.NoWorker', /start one with createWorker/, { runId, workers: 0 }),
  );
  await client.cancel(runId);
});

test('ten seconds without a worker bring one warning that names the task queue, before the wait is over', async () => {
  const taskQueue = newId();
  const warn = jest.fn();
  const emitted = jest.spyOn(process, 'emitWarning').mockImplementation();
  await using logging = await desk.connect({ taskQueue, logger: { warn } });
  await using plain = await desk.connect({ taskQueue });
  const runIds = [newId(), newId(), newId()];
  const wait = (client: HoldpointClient, runId = ''): Promise<unknown> =>
    expect(client.run('desk', 'x', { runId, waitMs: 13_000 })).rejects.toMatchObject({
      type: 'Holdpoint.Client.WaitTimedOut',
    });
  await Promise.all([wait(logging, runIds[0]), wait(logging, runIds[1]), wait(plain, runIds[2])]);
  const message = matching(
    new RegExp(`no worker polls task queue "${taskQueue}": start one with createWorker`),
  );
  expect(warn.mock.calls).toEqual([[objectWith({ type: 'Holdpoint.Client.NoWorker', taskQueue }), message]]);
  expect(emitted.mock.calls).toEqual([
    [message, { type: 'HoldpointWarning', code: 'Holdpoint.Client.NoWorker' }],
  ]);
  emitted.mockRestore();
  for (const runId of runIds) await desk.client.cancel(runId);
});

test('waiting goes on while the worker is away and ends when the next one has done the work', async () => {
  const { client } = desk;
  const halted = await client.run('desk', desk.play([calls('a'), { content: 'Done.' }]));
  const end = client.result(halted.runId);
  await withoutWorker(async () => {
    await client.temporal.workflow
      .getHandle(halted.runId)
      .signal('runWithAnswer', answerOutput(pendingId(halted), '1'));
  });
  await expect(end).resolves.toMatchObject({ status: 'done', text: 'Done.' });
});

test('open requests are listed without a worker too, as not confirmed', async () => {
  const tenant = newId();
  const client = desk.client.forTenant(tenant);
  const halted = await client.run('desk', desk.play([calls('a')]), { tenant });
  await until('it is listed', async () => (await client.requests({ tenant })).length === 1);
  await withoutWorker(async () => {
    const { id, kind, prompt } = halted.pending ?? {};
    await expect(client.requests({ tenant })).resolves.toEqual([
      objectWith({ runId: halted.runId, request: { id, kind, prompt }, confirmed: false }),
    ]);
  });
});

test('a run that was refused before it began is failed with the reason', async () => {
  const { client, taskQueue } = desk;
  const runId = newId();
  await client.temporal.workflow.start('agentRun', { workflowId: runId, taskQueue, args: [{ input: 7 }] });
  await expect(client.result(runId)).resolves.toMatchObject({
    runId,
    status: 'failed',
    error: { type: 'Holdpoint.Run.InvalidInput' },
    messages: [],
  });
});
