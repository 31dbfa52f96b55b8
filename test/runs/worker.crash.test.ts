import type { RunResult } from '../../src/agent/result';
import { openDesk, pendingId, type Desk } from '../client/desk';
import { bareRun } from '../support/bare-run';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { startWorkerProcess } from '../support/worker-process';
import { agents } from './crash-agents';

// A heartbeat timeout is 30 seconds, and only then does anybody know that the worker is gone.
jest.setTimeout(180_000);

const TOOLS = [
  'plain',
  'read',
  'repeat',
  'destroy',
  'approved',
  'told_to_retry',
  'told_to_report',
  'told_to_ask',
] as const;
type ToolName = (typeof TOOLS)[number];

const UNKNOWN = 'may or may not have run (its worker stopped responding). Check before you call it again.';

let desk: Desk;
/** One run a tool, all of them in their tool when the worker was killed; now at their halt or end. */
let runs: Record<ToolName, RunResult>;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk(agents);
  await desk.stopWorker();
  const { taskQueue, model } = desk;
  const worker = await startWorkerProcess({
    agents: require.resolve('./crash-agents'),
    baseURL: model.baseURL,
    taskQueue,
  });
  const started = await Promise.all(TOOLS.map(async (name) => ({ name, runId: await begin(name) })));
  await Promise.all(started.map(({ name, runId }) => worker.told(`${name} of ${runId}`)));
  await worker.kill();
  await desk.startWorker();
  const ended = started.map(async ({ name, runId }) => [name, await desk.client.waitForHalt(runId)] as const);
  runs = Object.fromEntries(await Promise.all(ended)) as Record<ToolName, RunResult>;
});
afterAll(() => desk.close());

async function begin(name: ToolName): Promise<string> {
  const toolCalls = [{ id: name, name, arguments: { order: 1 } }];
  const { runId } = await desk.client.start('desk', desk.play([{ toolCalls }, { content: 'Done.' }]));
  if (name !== 'approved') return runId;
  const halted = await desk.client.waitForHalt(runId);
  await desk.client.answer(runId, { id: pendingId(halted), ok: true });
  return runId;
}

const outputOf = ({ toolCalls }: RunResult) => toolCalls[0]?.output ?? '';

test.each(['read', 'repeat', 'told_to_retry'] as const)(
  'R33: a worker killed during `%s`, which may run again: it does, with the same idempotency key',
  (name) => {
    expect(runs[name]).toMatchObject({ status: 'done', toolCalls: [{ isError: false }] });
    expect(JSON.parse(outputOf(runs[name]))).toEqual({
      attempt: 2,
      idempotencyKey: expect.stringMatching(/^hp_[0-9a-f-]{36}_1_0$/) as unknown,
      resumed: false,
    });
  },
);

test.each(['plain', 'told_to_report'] as const)(
  'R33: a worker killed during `%s`: it is not run again, and the model is told that nobody knows',
  (name) => {
    expect(runs[name]).toMatchObject({ status: 'done', text: 'Done.', toolCalls: [{ isError: true }] });
    expect(outputOf(runs[name])).toBe(`outcome unknown: ${name} ${UNKNOWN}`);
  },
);

test.each(['destroy', 'approved', 'told_to_ask'] as const)(
  'R33: a worker killed during `%s`: a person is asked what became of it',
  (name) => {
    expect(runs[name]).toMatchObject({
      status: 'pending',
      pending: {
        kind: 'reconcile',
        prompt: `The outcome of ${name} is unknown (its worker stopped responding). Did it run, and what was its result?`,
        data: { callId: name, tool: name, why: 'its worker stopped responding' },
      },
    });
  },
);

test('R28: a reconcile answer needs the result or `rerun`; the request stays open until one comes', async () => {
  const { runId } = runs.told_to_ask;
  const id = pendingId(runs.told_to_ask);
  const refusals = [
    [undefined, /rerun/],
    [{}, /rerun/],
    [{ rerun: 'yes' }, /rerun/],
    [{ output: 7 }, /`data.output` to be a string/],
  ] as const;
  for (const [data, pattern] of refusals)
    await expect(desk.client.answer(runId, { id, ok: true, ...(data && { data }) })).rejects.toEqual(
      holdpointError('Holdpoint.Answer.Malformed', pattern),
    );
  const data = { output: 'It was paid', isError: true };
  const done = await desk.client.runWithAnswer(runId, { id, ok: true, data });
  expect(done.toolCalls).toMatchObject([{ output: 'It was paid', isError: true }]);
});

test('R28: only `data.rerun` runs the call again, with the same idempotency key', async () => {
  const { runId } = runs.destroy;
  const seed = pendingId(runs.destroy).replace(/^req_(.*)_1_0$/, '$1');
  const answer = { id: pendingId(runs.destroy), ok: true, data: { rerun: true } };
  const done = await desk.client.runWithAnswer(runId, answer);
  expect(JSON.parse(outputOf(done))).toMatchObject({ idempotencyKey: `hp_${seed}_1_0`, resumed: false });
});

test('R28: `ok: false` to a reconcile request reports that nobody knows', async () => {
  const { runId } = runs.approved;
  const done = await desk.client.runWithAnswer(runId, { id: pendingId(runs.approved), ok: false });
  expect(done).toMatchObject({ status: 'done', toolCalls: [{ isError: true }] });
  expect(outputOf(done)).toBe(`outcome unknown: approved ${UNKNOWN}`);
  expect((await bareRun(desk.client, runId).state()).rejections).toEqual([]);
});
