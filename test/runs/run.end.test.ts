import { WorkflowFailedError } from '@temporalio/client';
import { answerOutput } from '../../src/agent/relay';
import { defineAgent, defineTool } from '../../src/tools';
import { calls, openDesk, pendingId, relayed, type Desk } from '../client/desk';
import { holdpointFailure } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';

const SECRET = 'what only the transcript holds';
const look = defineTool({ name: 'look', description: 'Looks', execute: () => SECRET });

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  const tools = [relayed, look];
  const outputSchema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
  desk = await openDesk([
    defineAgent({ name: 'desk', model: 'scripted', tools }),
    defineAgent({ name: 'sums', model: 'scripted', tools, outputSchema }),
  ]);
});
afterAll(() => desk.close());

const looks = { content: 'Let me see.', toolCalls: [{ id: 'c', name: 'look', arguments: {} }] };
const handleOf = (runId: string) => desk.client.temporal.workflow.getHandle(runId);
const statusOf = async (runId: string) => (await handleOf(runId).describe()).status.name;

/** What the engine itself keeps of the end: the result, or the failure's details. */
async function closingPayload(runId: string): Promise<string> {
  const { events } = await handleOf(runId).fetchHistory();
  const last = events?.at(-1);
  const result = last?.workflowExecutionCompletedEventAttributes?.result;
  const failure = last?.workflowExecutionFailedEventAttributes?.failure;
  const payloads = result?.payloads ?? failure?.applicationFailureInfo?.details?.payloads ?? [];
  return payloads.map(({ data }) => Buffer.from(data ?? []).toString()).join();
}

test('R35: a run that is done completes its workflow, whose result holds neither messages nor outputs', async () => {
  const { runId } = await desk.client.run('desk', desk.play([looks, { content: 'Done.' }]));
  await expect(statusOf(runId)).resolves.toBe('COMPLETED');
  const closing = await closingPayload(runId);
  expect(closing).toContain('"text":"Done."');
  expect(closing).not.toContain(SECRET);
  expect(closing).not.toContain('Let me see.');
});

test('R35: a run at its limit completes its workflow as incomplete', async () => {
  const { runId } = await desk.client.run('desk', desk.play([looks]), { limits: { maxTurns: 1 } });
  await expect(statusOf(runId)).resolves.toBe('COMPLETED');
  await expect(handleOf(runId).result()).resolves.toMatchObject({ status: 'incomplete', limit: 'maxTurns' });
});

test('R35: a failed run fails its workflow, with the result in the details', async () => {
  const { runId } = await desk.client.run('desk', desk.play([looks, { status: 401 }]));
  await expect(statusOf(runId)).resolves.toBe('FAILED');
  const error: unknown = await handleOf(runId)
    .result()
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WorkflowFailedError);
  expect((error as WorkflowFailedError).cause).toEqual(
    holdpointFailure('Holdpoint.Run.Failed', /401/, {
      details: [expect.objectContaining({ status: 'failed', runId, turns: 2, toolCallCount: 1 })],
    }),
  );
  expect(await closingPayload(runId)).not.toContain(SECRET);
});

test('R35: a cancelled run ends its workflow as cancelled', async () => {
  const { runId } = await desk.client.run('desk', desk.play([calls('a')]));
  await desk.client.cancel(runId);
  await desk.client.result(runId);
  await expect(statusOf(runId)).resolves.toBe('CANCELLED');
});

test('R35: counts, usage and calls cover the whole run, halts included, one entry a call', async () => {
  const halted = await desk.client.run('desk', desk.play([looks, calls('a', 'b'), { content: 'Done.' }]));
  expect(halted).toMatchObject({ turns: 2, toolCallCount: 3, usage: { totalTokens: 4 } });
  expect(halted.toolCalls.map(({ id, isError }) => [id, isError])).toEqual([
    ['c', false],
    ['a', true],
    ['b', true],
  ]);
  const results = ['a', 'b'].map((id) => ({ id, output: id }));
  const done = await desk.client.runWithAnswer(halted.runId, {
    id: pendingId(halted),
    ok: true,
    data: { results },
  });
  expect(done).toMatchObject({ turns: 3, toolCallCount: 3, usage: { totalTokens: 6 } });
  expect(done.toolCalls.map(({ output }) => output)).toEqual([SECRET, 'a', 'b']);
  expect('limit' in done || 'pending' in done || 'requests' in done).toBe(false);
});

test('R35: `messages: false` reads the end without the transcript', async () => {
  const halted = await desk.client.run('desk', desk.play([looks, calls('a'), { content: 'Done.' }]), {
    messages: false,
  });
  expect(halted).toMatchObject({ status: 'pending', messages: [], toolCalls: [], toolCallCount: 2 });
  const answer = answerOutput(pendingId(halted), '1');
  const done = await desk.client.runWithAnswer(halted.runId, answer, { messages: false });
  expect(done).toMatchObject({ status: 'done', text: 'Done.', messages: [], toolCalls: [] });
});

test('R35: the output of an agent with an output schema is parsed; a text against it fails the run', async () => {
  await expect(desk.client.run('sums', desk.play([{ content: '{"total":3}' }]))).resolves.toMatchObject({
    status: 'done',
    output: { total: 3 },
  });
  await expect(desk.client.run('sums', desk.play([{ content: 'three' }]))).resolves.toMatchObject({
    status: 'failed',
    error: { type: 'Holdpoint.Run.OutputInvalid' },
  });
});

test('an unknown agent fails its run and names the agents that there are', async () => {
  const failed = await desk.client.run('nobody', desk.play([{ content: 'Hello.' }]));
  expect(failed).toMatchObject({ status: 'failed', error: { type: 'Holdpoint.Run.UnknownAgent' } });
  expect(failed.error?.message).toMatch(/"nobody".*desk, sums/);
});

test('the history of a run without tools holds one activity', async () => {
  const { runId } = await desk.client.run('desk', desk.play([{ content: 'Hello.' }]));
  const { events } = await handleOf(runId).fetchHistory();
  expect((events ?? []).filter((event) => event.activityTaskScheduledEventAttributes)).toHaveLength(1);
});
