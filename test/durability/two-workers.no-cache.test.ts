import { answerDeclined, answerOutput, relayAnswer } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { defineAgent, defineTool, relayTool } from '../../src/tools';
import type { ScriptedTurn } from '../../src/testing';
import { bareRun } from '../support/bare-run';
import { holdpointError, matching, objectWith } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { newId, openStage, page, type Stage } from './stage';

/** Without a cache each workflow task replays the whole history: the time grows with the square of the turns. */
const LONG_MS = 1_200_000;
const TURNS = 100;
const RESULT_BYTES = 5_000;

const desk = defineAgent({
  name: 'desk',
  model: 'scripted',
  limits: { maxTurns: 1_000 },
  tools: [
    defineTool({ name: 'page', description: '', execute: ({ n }) => page(Number(n), RESULT_BYTES) }),
    defineTool({
      name: 'refund',
      description: '',
      needsApproval: true,
      execute: ({ n }) => `paid ${Number(n)}`,
    }),
    relayTool({ name: 'stock', description: '' }),
    relayTool({ name: 'hasty', description: '', expiresIn: 1_000 }),
  ],
});

let stage: Stage;
/** Model calls by the worker that made them. */
const made = [0, 0];

beforeAll(async () => {
  quietRuntime();
  stage = await openStage({ agents: [desk] });
  for (const worker of [0, 1]) {
    const beforeModel = (): void => void (made[worker] = (made[worker] ?? 0) + 1);
    await stage.startWorker({ maxCachedWorkflows: 0, hooks: { beforeModel } });
  }
});
afterAll(() => stage.close());

function call(name: string, ...ids: readonly string[]): ScriptedTurn {
  return { toolCalls: ids.map((id, n) => ({ id, name, arguments: { n } })) };
}

function pendingId({ pending, status }: RunResult): string {
  if (!pending) throw new Error(`Expected a halt, got ${status}`);
  return pending.id;
}

test(
  'R13: 100 turns on two workers that share nothing and cache no workflow: every model call sees the whole transcript',
  async () => {
    const before = stage.model.requests.length;
    const text = stage.play((turn) =>
      turn < TURNS - 1
        ? { toolCalls: [{ id: `c${turn}`, name: 'page', arguments: { n: turn } }] }
        : { content: 'Done.' },
    );
    const run = await stage.client.run('desk', text, { waitMs: LONG_MS });
    expect(run).toMatchObject({ status: 'done', turns: TURNS, toolCallCount: TURNS - 1 });
    expect(run.toolCalls.map(({ output }) => output)).toEqual(
      Array.from({ length: TURNS - 1 }, (_, n) => page(n, RESULT_BYTES)),
    );
    const seen = stage.model.requests.slice(before).map(({ body }) => body.messages);
    expect(seen).toEqual(Array.from({ length: TURNS }, (_, n) => run.messages.slice(0, 1 + 2 * n)));
    // Otherwise neither ever had to read what the other one made.
    expect(Math.min(...made)).toBeGreaterThan(TURNS / 10);
  },
  LONG_MS,
);

test('R23, R29: halts, answers in parts, repeats and refusals', async () => {
  const { client } = stage;
  const halted = await client.run('desk', stage.play([call('stock', 'a', 'b'), { content: 'Done.' }]));
  const id = pendingId(halted);
  const part = relayAnswer(id, [{ id: 'b', output: '2' }]);
  const receipt = await client.answer(halted.runId, part);
  expect(receipt).toMatchObject({ settled: ['b'], open: ['a'] });
  await expect(client.answer(halted.runId, part)).resolves.toEqual(receipt);
  await expect(client.answer(halted.runId, relayAnswer(id, [{ id: 'b', output: '3' }]))).rejects.toEqual(
    holdpointError('Holdpoint.Answer.AlreadyAnswered'),
  );
  await bareRun(client, halted.runId).signal({ id, ok: 'yes' });
  const done = await client.runWithAnswer(halted.runId, answerOutput(id, '1'));
  expect(done).toMatchObject({ status: 'done', toolCalls: [{ output: '1' }, { output: '2' }] });
  await expect(client.answer(halted.runId, part)).resolves.toEqual(receipt);
  expect((await bareRun(client, halted.runId).state()).rejections).toHaveLength(1);
});

test('R28: approvals and declines', async () => {
  const { client } = stage;
  const text = stage.play([call('refund', 'a', 'b'), { content: 'Done.' }]);
  const halted = await client.run('desk', text);
  const [first, second] = halted.requests?.map(({ id }) => id) ?? [];
  await client.answer(halted.runId, answerDeclined(second ?? '', 'over budget'));
  const done = await client.runWithAnswer(halted.runId, { id: first ?? '', ok: true });
  expect(done).toMatchObject({
    status: 'done',
    toolCalls: [
      { output: 'paid 0', isError: false },
      { output: matching(/^declined\/expired: [^]*reason: over budget$/), isError: true },
    ],
  });
});

test('R31: a deadline', async () => {
  const { client } = stage;
  const { runId } = await client.start('desk', stage.play([call('hasty', 'a'), { content: 'Done.' }]));
  const done = await client.result(runId);
  expect(done.toolCalls).toEqual([objectWith({ output: matching(/^declined\/expired: /), isError: true })]);
});

test('R34, R41: a message to a halted run, and a cancel', async () => {
  const { client } = stage;
  const halted = await client.run('desk', stage.play([call('stock', 'a'), call('stock', 'b')]));
  await client.addMessage(halted.runId, 'Hurry.');
  const next = await client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
  expect(next.messages.slice(2, 4)).toEqual([
    { role: 'tool', tool_call_id: 'a', content: '1' },
    { role: 'user', content: 'Hurry.' },
  ]);
  await client.cancel(halted.runId);
  const ended = await client.result(halted.runId);
  expect(ended.status).toBe('cancelled');
  expect(ended.toolCalls).toEqual([objectWith({ output: '1' }), objectWith({ isError: true })]);
});

test('R39: a conversation', async () => {
  const { client } = stage;
  const id = newId();
  const one = await client.ask('desk', id, stage.play([call('page', 'a'), { content: 'One.' }]));
  expect(one).toMatchObject({ runId: `${id}/1`, status: 'done', text: 'One.' });
  const two = await client.ask('desk', id, stage.play([call('stock', 'b'), { content: 'Two.' }]));
  const done = await client.askWithAnswer(id, answerOutput(pendingId(two), '1'));
  expect(done).toMatchObject({ runId: `${id}/2`, status: 'done', text: 'Two.' });
  expect(done.messages).toHaveLength(8);
});
