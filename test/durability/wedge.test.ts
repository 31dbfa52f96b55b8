import { answerOutput } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { CONVERSATION_PREFIX, type RunSnapshot } from '../../src/agent/wire';
import type { ScriptedTurn } from '../../src/testing';
import { defineAgent, relayTool } from '../../src/tools';
import { bareRun } from '../support/bare-run';
import { matching, objectWith } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { waitUntil } from '../support/wait-until';
import { newId, openStage, page, type Stage } from './stage';
import { BOGUS, temporalWorkflow } from './temporal-command';

const desk = defineAgent({
  name: 'desk',
  model: 'scripted',
  tools: [relayTool({ name: 'stock', description: '' })],
});
/** Not all of these are ours, and the last prefix is the SDK's own. */
const SIGNALS = ['runWithAnswer', 'addMessage', 'childReport', 'noSuchSignal', '__temporal_signal'];
/** As much text as the server takes in one message. */
const TWO_MB = 2_000_000;

let stage: Stage;
beforeAll(async () => {
  quietRuntime('silent');
  stage = await openStage({ agents: [desk] });
  await stage.startWorker();
});
afterAll(() => stage.close());

const stock: ScriptedTurn = { toolCalls: [{ id: 'a', name: 'stock', arguments: {} }] };

function halted(): Promise<RunResult> {
  return stage.client.run('desk', stage.play([stock, { content: 'Done.' }]));
}

/** Answers the halt and expects the run to end as if nothing had been. */
async function completes({ runId, pending }: RunResult, messages = 4): Promise<RunSnapshot> {
  const done = await stage.client.runWithAnswer(runId, answerOutput(pending?.id ?? '', '1'));
  expect(done).toMatchObject({ status: 'done', text: 'Done.', toolCalls: [{ output: '1' }] });
  expect(done.messages).toHaveLength(messages);
  return bareRun(stage.client, runId).state();
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

test('R30: messages that cannot be decoded, from a terminal, to a halted run', async () => {
  const run = await halted();
  for (const name of SIGNALS)
    await temporalWorkflow('signal', '--workflow-id', run.runId, '--name', name, ...BOGUS);
  const { rejections } = await completes(run);
  expect(rejections.map(({ error }) => error.type)).toEqual([
    'Holdpoint.Answer.Malformed',
    'Holdpoint.Run.InvalidInput',
  ]);
});

test('R30: the same to a run that is at work', async () => {
  let unlock = (): void => undefined;
  const hold = new Promise<void>((resolve) => (unlock = resolve));
  const requests = stage.model.requests.length;
  const { runId } = await stage.client.start('desk', stage.play([{ content: 'Done.', hold }]));
  await stage.model.waitForRequest(requests + 1);
  for (const name of SIGNALS)
    await temporalWorkflow('signal', '--workflow-id', runId, '--name', name, ...BOGUS);
  unlock();
  await expect(stage.client.result(runId)).resolves.toMatchObject({ status: 'done', text: 'Done.' });
  const { rejections } = await bareRun(stage.client, runId).state();
  expect(rejections).toHaveLength(2);
});

test('R30: updates that cannot be decoded are refused, each sender is told', async () => {
  const run = await halted();
  await expect(
    temporalWorkflow('update', 'execute', '--workflow-id', run.runId, '--name', 'answer', ...BOGUS),
  ).rejects.toMatchObject({ stderr: matching(/Expected `id` to be the request's id/) });
  const id = newId();
  await stage.client.ask('desk', id, stage.play([{ content: 'Hello.' }, { content: 'Still here.' }]));
  for (const name of ['ask', 'answer', 'cancel', 'noSuchUpdate'])
    await expect(
      temporalWorkflow(
        ...['update', 'execute', '--workflow-id', `${CONVERSATION_PREFIX}${id}`, '--name', name],
        ...BOGUS,
      ),
    ).rejects.toMatchObject({ stderr: matching(/./) });
  await expect(stage.client.ask('desk', id, 'And?')).resolves.toMatchObject({ text: 'Still here.' });
  await completes(run);
});

test('R30: an input that cannot be decoded, is missing or too large fails its run with a typed error', async () => {
  const { client, taskQueue } = stage;
  const failure = (workflowId: string) => client.temporal.workflow.getHandle(workflowId).result();
  for (const type of ['agentRun', 'agentConversation'])
    for (const input of [BOGUS, [], ['--input', '{"agent":7}']]) {
      const workflowId = newId();
      await temporalWorkflow(
        ...['start', '--workflow-id', workflowId, '--type', type, '--task-queue', taskQueue],
        ...input,
      );
      await expect(failure(workflowId)).rejects.toMatchObject({
        cause: { type: 'Holdpoint.Run.InvalidInput', message: matching(/^Expected /) },
      });
    }
  const workflowId = newId();
  const args = [{ agent: 'desk', input: page(0, 1_700_000) }];
  await client.temporal.workflow.start('agentRun', { workflowId, taskQueue, args });
  await expect(failure(workflowId)).rejects.toMatchObject({
    cause: { type: 'Holdpoint.Run.InvalidInput', message: matching(/at most/) },
  });
});

test('R11, R30: garbage of two megabytes is refused and nothing of it is kept', async () => {
  const run = await halted();
  const bare = bareRun(stage.client, run.runId);
  const text = page(0, TWO_MB);
  const handle = stage.client.temporal.workflow.getHandle(run.runId);
  const garbage: readonly (readonly [signal: string, value: unknown])[] = [
    ['runWithAnswer', text],
    ['runWithAnswer', { id: run.pending?.id, ok: true, data: { output: text } }],
    ['runWithAnswer', { id: 'i'.repeat(TWO_MB), ok: true }],
    ['addMessage', text],
    ['addMessage', { role: 'user', content: [{ type: 'text', text }] }],
    ['noSuchSignal', text],
  ];
  for (const [signal, value] of garbage) {
    await handle.signal(signal, value);
    // One at a time: with the next one under way already, a run cannot continue as new.
    await bare.state();
  }
  const { rejections } = await bare.state();
  expect(rejections).toHaveLength(5);
  expect(sizeOf(rejections)).toBeLessThan(10_000);
  expect(JSON.stringify(rejections)).not.toContain('quick brown fox');
  const { rejections: after } = await completes(run);
  expect(after).toEqual(rejections);
});

test('R30: the same to a run that is at work; clients that come later wait for its end as ever', async () => {
  const { client } = stage;
  let unlock = (): void => undefined;
  const hold = new Promise<void>((resolve) => (unlock = resolve));
  const requests = stage.model.requests.length;
  const { runId } = await client.start('desk', stage.play([{ content: 'Done.', hold }]));
  await stage.model.waitForRequest(requests + 1);
  // Nothing is shed while a model call is in flight: the history is now over what gRPC takes by default.
  for (let n = 0; n < 3; n += 1) await bareRun(client, runId).signal(page(n, TWO_MB));
  const late = await stage.connect();
  const ended = late.result(runId);
  const { events } = await late.temporal.workflow.getHandle(runId).fetchHistory();
  expect(events?.length).toBeGreaterThan(8);
  unlock();
  await expect(ended).resolves.toMatchObject({ status: 'done', text: 'Done.' });
  await late.disconnect();
});

test('R30: 200 wrong answers in a row, with the most absurd names for things; rejections are bounded', async () => {
  const run = await halted();
  const bare = bareRun(stage.client, run.runId);
  const id = run.pending?.id ?? '';
  const name = page(0, 20_000);
  const wrong = [
    { id: 'nothing', ok: true },
    { id, ok: 'true' },
    { id, ok: true, data: { [name]: 1 } },
    { id, ok: true, data: { results: [{ id: name, output: '1' }] } },
    { id, ok: true, by: name, answerId: name, data: {} },
    { id, ok: true, data: { results: [{ id: 'a', output: 1 }] } },
    [id, true],
    null,
  ];
  for (let n = 0; n < 200; n += 1) await bare.signal(wrong[n % wrong.length]);
  const { rejections } = await waitUntil(
    () => bare.state(),
    (state) => state.rejections.length > 0,
  );
  expect(rejections.length).toBeLessThanOrEqual(50);
  const state = await completes(run);
  expect(state.rejections).toHaveLength(50);
  expect(sizeOf(state)).toBeLessThan(100_000);
  expect(state.receipts).toEqual([objectWith({ receipt: objectWith({ settled: ['a'] }) })]);
});

test('R41: messages up to their bound wait for a halted run; the rest is refused, and it goes on', async () => {
  const run = await halted();
  const handle = stage.client.temporal.workflow.getHandle(run.runId);
  for (let n = 0; n < 10; n += 1) await handle.signal('addMessage', page(n, 400_000));
  const { rejections } = await completes(run, 4 + 3);
  expect(rejections).toHaveLength(7);
});
