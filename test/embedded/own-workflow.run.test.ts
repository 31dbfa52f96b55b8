import { WorkflowFailedError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import type { RunEvent } from '../../src/agent/event';
import { answerOutput } from '../../src/agent/relay';
import { openaiModel } from '../../src/models/openai';
import { bundleWorkflows, holdpointPlugin } from '../../src/worker';
import { desk as plainDesk, calls, newId, openDesk, pendingId, type Desk } from '../client/desk';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { testServer } from '../support/test-server';
import type { note, order, twoAtOnce } from './own-workflows';

const workflowsPath = require.resolve('./own-workflows');
const activities = { ship: (what: string): Promise<string> => Promise.resolve(`shipped ${what}`) };

let desk: Desk;
let bundle: { readonly code: string };

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk();
  await desk.stopWorker();
  bundle = await bundleWorkflows({ workflowsPath });
}, 120_000);
afterAll(() => desk?.close());

/** One run that halts, then the workflow's own activity, then another run. */
async function playOrder(): Promise<void> {
  const { client, taskQueue } = desk;
  const text = desk.play([calls('a'), { content: 'First.' }]);
  desk.play([{ content: 'Second.' }], `${text} again`);
  const workflowId = newId();
  const { workflow } = client.temporal;
  const handle = await workflow.start<typeof order>('order', { workflowId, taskQueue, args: [text] });
  const halted = await client.waitForHalt(workflowId);
  expect(halted).toMatchObject({ status: 'pending', runId: workflowId });
  await handle.signal<[string]>('note' satisfies typeof note.name, 'mine');
  await client.answer(workflowId, answerOutput(pendingId(halted), '7'));
  await expect(handle.result()).resolves.toEqual({
    first: 'First.',
    second: 'Second.',
    shipped: 'shipped First.',
    notes: ['mine'],
    calls: 1,
  });
  // An agent's own runs go on beside them.
  await expect(client.run('desk', desk.play([{ content: 'Alone.' }]))).resolves.toMatchObject({
    text: 'Alone.',
  });
}

test('createWorker carries out workflows of your own, which embed agents, and their activities', async () => {
  await desk.startWorker({ workflowBundle: bundle, activities });
  try {
    await playOrder();
  } finally {
    await desk.stopWorker();
  }
}, 60_000);

describe('while such a worker runs', () => {
  beforeAll(() => desk.startWorker({ workflowBundle: bundle, activities }));
  afterAll(() => desk.stopWorker());

  test('R34: cancelling the workflow cancels the embedded run', async () => {
    const { client, taskQueue } = desk;
    const workflowId = newId();
    const text = desk.play([calls('a'), { content: 'First.' }]);
    const { workflow } = client.temporal;
    const handle = await workflow.start<typeof order>('order', { workflowId, taskQueue, args: [text] });
    await client.waitForHalt(workflowId);
    await handle.cancel();
    const error: unknown = await handle.result().catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(WorkflowFailedError);
    expect((error as WorkflowFailedError).cause).toBeInstanceOf(CancelledFailure);
    const events: RunEvent[] = [];
    for await (const event of client.events(workflowId)) events.push(event);
    expect(events.map(({ type }) => type)).toEqual(['model', 'request', 'answer', 'run']);
    expect(events.at(-1)).toMatchObject({ status: 'cancelled' });
  });

  test('a workflow runs one agent at a time', async () => {
    const { client, taskQueue } = desk;
    const args: [string] = [desk.play([{ content: 'First.' }])];
    const workflowId = newId();
    await expect(
      client.temporal.workflow.execute<typeof twoAtOnce>('twoAtOnce', { workflowId, taskQueue, args }),
    ).resolves.toMatch(/^This workflow runs an agent already\./);
  });
});

test('the plugin adds agents to a Temporal worker that somebody has, bundled by it or beforehand', async () => {
  const { address, namespace } = testServer();
  const { taskQueue, model } = desk;
  const connection = await NativeConnection.connect({ address });
  const models = openaiModel({ baseURL: model.baseURL, apiKey: 'none' });
  const plugin = holdpointPlugin({ agents: [plainDesk()], models });
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    plugins: [plugin],
    logger: new DefaultLogger('WARN'),
  });
  try {
    for (const workflows of [{ workflowsPath }, { workflowBundle: { code } }]) {
      const worker = await Worker.create({
        connection,
        namespace,
        taskQueue,
        activities,
        shutdownGraceTime: 0,
        ...workflows,
        plugins: [plugin],
      });
      await worker.runUntil(playOrder);
    }
  } finally {
    await connection.close();
  }
}, 120_000);

describe('the plugin refuses what could not work', () => {
  const refusal = (pattern: RegExp) => holdpointError('Holdpoint.Worker.InvalidOptions', pattern);
  const models = openaiModel({ baseURL: 'http://127.0.0.1:1', apiKey: 'none' });
  const base = { taskQueue: 'q', workflowsPath };

  test('options that it does not have', () => {
    expect(() => holdpointPlugin({ agents: [] })).toThrow(/at least one agent/);
    const wrong = { agents: [plainDesk()], models, taskQueue: 'q' };
    expect(() => holdpointPlugin(wrong)).toThrow(/taskQueue/);
  });

  test('a worker with a converter of its own, with our activity names, or without a connection', async () => {
    const plugins = [holdpointPlugin({ agents: [plainDesk()], models })];
    const dataConverter = { payloadConverterPath: require.resolve('./own-workflows') };
    await expect(Worker.create({ ...base, plugins, dataConverter })).rejects.toEqual(refusal(/converter/));
    await expect(
      Worker.create({ ...base, plugins, activities: { callModel: activities.ship } }),
    ).rejects.toEqual(refusal(/"callModel" is Holdpoint's own/));
    await expect(Worker.create({ ...base, plugins })).rejects.toEqual(refusal(/Give `connection`/));
  });
});
