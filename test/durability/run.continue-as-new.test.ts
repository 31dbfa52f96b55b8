import { answerOutput, relayAnswer } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { MEMO_KEY } from '../../src/agent/wire';
import type { ScriptedTurn } from '../../src/testing';
import { defineAgent, defineTool, relayTool } from '../../src/tools';
import { bareRun } from '../support/bare-run';
import { holdpointError, matching, objectWith } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { waitUntil } from '../support/wait-until';
import { executionsOf, openRestlessStage, sendUntilCarried } from './carried';
import type { Stage } from './stage';

/** Idempotency keys by run. */
const keys = new Map<string, (string | undefined)[]>();

const desk = defineAgent({
  name: 'desk',
  model: 'scripted',
  limits: { maxTurns: 1_000 },
  tools: [
    defineTool({
      name: 'look',
      description: '',
      execute: ({ n }, { runId = '', idempotencyKey }) => {
        keys.set(runId, [...(keys.get(runId) ?? []), idempotencyKey]);
        return `seen ${Number(n)}`;
      },
    }),
    relayTool({ name: 'stock', description: '' }),
    relayTool({ name: 'hasty', description: '', expiresIn: 8_000 }),
  ],
});

let stage: Stage;
let close: () => Promise<void>;
beforeAll(async () => {
  quietRuntime();
  ({ stage, close } = await openRestlessStage({ agents: [desk] }));
});
afterAll(() => close());

function call(name: string, ...ids: readonly string[]): ScriptedTurn {
  return { toolCalls: ids.map((id, n) => ({ id, name, arguments: { n } })) };
}

function halted(...ids: readonly string[]): Promise<RunResult> {
  return stage.client.run('desk', stage.play([call('stock', ...ids), { content: 'Done.' }]));
}

function pendingId({ pending, status }: RunResult): string {
  if (!pending) throw new Error(`Expected a halt, got ${status}`);
  return pending.id;
}

test('R9: between turns; idempotency keys derive from the first execution, and no result is lost', async () => {
  const turns = Array.from({ length: 24 }, (_, n) => call('look', `c${n}`));
  const run = await stage.client.run('desk', stage.play([...turns, { content: 'Done.' }]));
  expect(run).toMatchObject({ status: 'done', turns: 25, toolCallCount: 24 });
  expect(run.messages.filter(({ role }) => role === 'tool')).toEqual(
    turns.map((_, n) => ({ role: 'tool', tool_call_id: `c${n}`, content: 'seen 0' })),
  );
  const { first, now } = await executionsOf(stage, run.runId);
  expect(now).not.toBe(first);
  expect(keys.get(run.runId)).toEqual(turns.map((_, n) => `hp_${first}_${n + 1}_0`));
});

test('R10: while halted; the request keeps its id, lists and waiting clients still see the halt', async () => {
  const { client } = stage;
  const run = await halted('a');
  const id = pendingId(run);
  const { first } = await executionsOf(stage, run.runId);
  expect(id).toContain(first);
  const ended = client.result(run.runId);
  await sendUntilCarried(stage, run.runId);
  await sendUntilCarried(stage, run.runId);
  await expect(client.get(run.runId)).resolves.toMatchObject({ status: 'pending', pending: run.pending });
  await expect(client.waitForHalt(run.runId)).resolves.toMatchObject({ pending: run.pending });
  const { memo, searchAttributes } = await client.temporal.workflow.getHandle(run.runId).describe();
  expect(memo?.[MEMO_KEY]).toMatchObject({ status: 'pending', requests: [{ id }] });
  expect(searchAttributes).toMatchObject({
    HoldpointStatus: ['pending'],
    HoldpointWaitingFor: ['kind:tool_call'],
  });
  const done = await client.runWithAnswer(run.runId, answerOutput(id, '1'));
  expect(done).toMatchObject({ status: 'done', toolCalls: [{ output: '1' }] });
  await expect(ended).resolves.toEqual(done);
});

test('R29: receipts are known afterwards: a repeat gets the first one, anything else is refused', async () => {
  const { client } = stage;
  const run = await halted('a', 'b');
  const id = pendingId(run);
  const part = relayAnswer(id, [{ id: 'a', output: '1' }]);
  const receipt = await client.answer(run.runId, { ...part, answerId: 'mine' });
  await sendUntilCarried(stage, run.runId);
  const bare = bareRun(client, run.runId);
  await expect(bare.update({ ...part, answerId: 'mine' })).resolves.toEqual(receipt);
  await expect(bare.update(part)).resolves.toEqual(receipt);
  await expect(bare.update({ ...part, answerId: 'mine', by: 'other' })).rejects.toMatchObject({
    type: 'Holdpoint.Answer.AnswerIdReused',
  });
  await expect(client.answer(run.runId, relayAnswer(id, [{ id: 'a', output: '2' }]))).rejects.toEqual(
    holdpointError('Holdpoint.Answer.AlreadyAnswered'),
  );
  const done = await client.runWithAnswer(run.runId, answerOutput(id, '2'));
  expect(done).toMatchObject({ status: 'done', toolCalls: [{ output: '1' }, { output: '2' }] });
  await expect(client.answer(run.runId, { ...part, answerId: 'mine' })).resolves.toEqual(receipt);
});

test('R31: a deadline stays at its instant', async () => {
  const { client } = stage;
  const run = await client.run('desk', stage.play([call('hasty', 'a'), { content: 'Done.' }]));
  await sendUntilCarried(stage, run.runId);
  const { pending } = await client.get(run.runId);
  expect(pending).toEqual(run.pending);
  const done = await client.result(run.runId);
  expect(done.toolCalls).toEqual([objectWith({ output: matching(/^declined\/expired: /) })]);
  expect(done.receipts).toEqual([objectWith({ via: 'expiry' })]);
  const late = Date.parse(done.receipts?.[0]?.at ?? '') - Date.parse(pending?.expiresAt ?? '');
  expect(late).toBeGreaterThanOrEqual(0);
});

test('R41: messages that wait come after the results, in their order', async () => {
  const { client } = stage;
  const run = await halted('a');
  await client.addMessage(run.runId, 'One.');
  await sendUntilCarried(stage, run.runId);
  await client.addMessage(run.runId, 'Two.');
  const done = await client.runWithAnswer(run.runId, answerOutput(pendingId(run), '1'));
  expect(done.messages.slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'a', content: '1' },
    { role: 'user', content: 'One.' },
    { role: 'user', content: 'Two.' },
    { role: 'assistant', content: 'Done.' },
  ]);
});

test('R30: an answer that came before its request is kept for it', async () => {
  const { client } = stage;
  const turns = Array.from({ length: 8 }, (_, n) => call('look', `c${n}`));
  const text = stage.play([...turns, call('stock', 'a'), { content: 'Done.' }]);
  const { runId } = await client.start('desk', text);
  const { first } = await executionsOf(stage, runId);
  await bareRun(client, runId).signal(answerOutput(`req_${first}_9_0`, 'early'));
  const done = await client.result(runId);
  expect(done).toMatchObject({ status: 'done', toolCallCount: 9 });
  expect(done.toolCalls.at(-1)).toMatchObject({ output: 'early' });
  expect((await executionsOf(stage, runId)).now).not.toBe(first);
});

test('R34: a cancel ends a run that was carried over, its transcript balanced', async () => {
  const { client } = stage;
  const run = await halted('a');
  await sendUntilCarried(stage, run.runId);
  await client.cancel(run.runId);
  const ended = await client.result(run.runId);
  expect(ended).toMatchObject({ status: 'cancelled', toolCalls: [{ id: 'a', isError: true }] });
  await expect(client.answer(run.runId, answerOutput(pendingId(run), '1'))).rejects.toEqual(
    holdpointError('Holdpoint.Answer.RunClosed'),
  );
});

test('R34: a cancel in the middle of a flood of signals is not lost', async () => {
  const { client } = stage;
  const run = await halted('a');
  const { first } = await executionsOf(stage, run.runId);
  const bare = bareRun(client, run.runId);
  let over = false;
  const flood = [1, 2].map(async (sender) => {
    for (let n = 0; !over; n += 1) {
      // The last ones find the run closed.
      await bare.signal({ id: 'nothing', ok: true, answerId: `${sender}-${n}` }).catch(() => undefined);
    }
  });
  await waitUntil(
    () => executionsOf(stage, run.runId),
    ({ now }) => now !== first,
  );
  await client.cancel(run.runId);
  const ended = await client.result(run.runId);
  over = true;
  await Promise.all(flood);
  expect(ended.status).toBe('cancelled');
});
