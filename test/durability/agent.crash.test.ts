import { approve } from '../../src/agent/decisions';
import type { JsonObject } from '../../src/agent/json';
import { answerOutput } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import type { ScriptedTurn } from '../../src/testing';
import { quietRuntime } from '../support/quiet-runtime';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process';
import { agents } from './agent-crash-agents';
import { openStage, type Stage } from './stage';

let stage: Stage;

beforeAll(async () => {
  quietRuntime();
  stage = await openStage({ agents });
});
afterAll(() => stage?.close());

const startWorker = (): Promise<WorkerProcess> =>
  startWorkerProcess({
    agents: require.resolve('./agent-crash-agents'),
    baseURL: stage.model.baseURL,
    taskQueue: stage.taskQueue,
  });

const done: ScriptedTurn = { content: 'Done.' };
const calls = (...each: [name: string, args?: JsonObject][]): ScriptedTurn => ({
  toolCalls: each.map(([name, args = {}], n) => ({ id: `c${n}`, name, arguments: args })),
});
const task = (...turns: ScriptedTurn[]) => ({ input: stage.play([...turns, done]) });
const open = ({ requests = [] }: RunResult, kind: string): string =>
  requests.find((request) => request.kind === kind)?.id ?? '';

/** Two levels of sub-agents, one of them halted twice over. */
const script = (first: string): string =>
  stage.play([
    calls(
      ['clerk', task(calls([first]))],
      ['manager', task(calls(['clerk', task(calls(['pay'], ['stock']))]))],
    ),
    done,
  ]);

test('sub-agents at work and halted, two levels deep, outlive a worker that is killed; nothing runs twice', async () => {
  const { client } = stage;
  const first = await startWorker();
  const { runId } = await client.start('desk', script('look'));
  await first.told('look 1');
  const deepest = `${runId}/agent-1-1/agent-1-0`;
  await client.waitForHalt(`${runId}/agent-1-1`);
  await first.kill();
  const second = await startWorker();
  const halted = await client.waitForHalt(runId);
  expect(halted.requests?.map(({ kind, path }) => [kind, path])).toEqual([
    ['approval', ['manager', 'clerk']],
    ['tool_call', ['manager', 'clerk']],
  ]);
  await client.answer(runId, approve(open(halted, 'approval')));
  await second.told(`pay ${deepest}`);
  await second.kill();
  const third = await startWorker();
  await client.answer(runId, answerOutput(open(halted, 'tool_call'), '3'));
  // Approved, so that nobody but a person may say what became of it.
  const asks = await client.waitForHalt(runId);
  expect(asks.requests).toMatchObject([{ kind: 'reconcile', path: ['manager', 'clerk'] }]);
  await client.answer(runId, { id: open(asks, 'reconcile'), ok: true, data: { output: 'It was paid' } });
  const end = await client.result(runId);
  expect(end).toMatchObject({ status: 'done', toolCalls: [{ output: 'Done.' }, { output: 'Done.' }] });
  expect((await client.get(deepest)).toolCalls.map(({ output }) => output)).toEqual(['It was paid', '3']);
  await third.stop();
  const told = [first, second, third].flatMap((worker) => worker.toldSoFar());
  expect(told.filter((what) => what.startsWith('pay'))).toHaveLength(1);
}, 180_000);

test('on two workers that cache no workflow every step is replayed, and all of it comes to the same', async () => {
  const { client } = stage;
  for (let n = 0; n < 2; n += 1) await stage.startWorker({ maxCachedWorkflows: 0 });
  const halted = await client.run('desk', script('pay'));
  expect(halted.requests).toHaveLength(3);
  await client.answerAll(
    halted.runId,
    (halted.requests ?? []).map(({ id, kind }) =>
      kind === 'approval' ? approve(id) : answerOutput(id, '3'),
    ),
  );
  const end = await client.result(halted.runId);
  expect(end).toMatchObject({ status: 'done', toolCalls: [{ output: 'Done.' }, { output: 'Done.' }] });
  const below = await client.get(`${halted.runId}/agent-1-1/agent-1-0`);
  expect(below.toolCalls.map(({ output }) => output)).toEqual(['paid', '3']);
}, 120_000);
