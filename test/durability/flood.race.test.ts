import { answerOutput } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { CONVERSATION_PREFIX, type RunSnapshot } from '../../src/agent/wire';
import { defineAgent, relayTool } from '../../src/tools';
import { bareRun } from '../support/bare-run';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { executionsOf } from './carried';
import { newId, openStage, page, type Stage } from './stage';

const SOON_MS = 1_500;
/** More than an execution takes before it continues as new. */
const FLOOD = 1_200;

const desk = defineAgent({
  name: 'desk',
  model: 'scripted',
  tools: [
    relayTool({ name: 'stock', description: '' }),
    relayTool({ name: 'quick', description: '', expiresIn: SOON_MS }),
    relayTool({ name: 'refund', description: '', needsApproval: true, expiresIn: SOON_MS }),
  ],
});

let stage: Stage;
beforeAll(async () => {
  quietRuntime('silent');
  stage = await openStage({ agents: [desk] });
});
afterAll(() => stage.close());

const turns = (name: string) => [{ toolCalls: [{ id: 'a', name, arguments: {} }] }, { content: 'Done.' }];

/** Everything that arrives while no worker is there comes to the run in one step. */
async function whileAway(
  name: string,
  act: (run: RunResult, id: string) => Promise<unknown>,
): Promise<{ result: RunResult; state: RunSnapshot }> {
  const worker = await stage.startWorker();
  const run = await stage.client.run('desk', stage.play(turns(name)));
  await worker.shutdown();
  await act(run, run.pending?.id ?? '');
  const next = await stage.startWorker();
  const result = await stage.client.result(run.runId);
  const { events } = await stage.client.temporal.workflow.getHandle(run.runId).fetchHistory();
  expect(events?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
  const state = await bareRun(stage.client, run.runId).state();
  await next.shutdown();
  return { result, state };
}

const signal = (runId: string, answer: unknown) => bareRun(stage.client, runId).signal(answer);
const cancel = (runId: string) => stage.client.temporal.workflow.getHandle(runId).cancel();
const passed = (run: RunResult) => {
  const deadline = Date.parse(run.pending?.expiresAt ?? '');
  return until('the deadline has passed', () => Date.now() > deadline + 200);
};

/** One result for the one call, one receipt for the one request. */
function expectSettledOnce(result: RunResult): void {
  expect(result.messages.map(({ role }) => role).slice(0, 3)).toEqual(['user', 'assistant', 'tool']);
  expect(result.toolCalls).toHaveLength(1);
  expect(result.receipts?.filter(({ resolved }) => resolved)).toHaveLength(1);
}

describe('R29, R31, R34: what comes in the same step of a workflow', () => {
  test('answer, then cancel: the result stands, and the run is cancelled', async () => {
    const { result } = await whileAway('stock', async ({ runId }, id) => {
      await signal(runId, answerOutput(id, 'mine'));
      await cancel(runId);
    });
    expectSettledOnce(result);
    expect(result).toMatchObject({ status: 'cancelled', toolCalls: [{ output: 'mine' }] });
  });

  test('cancel, then answer: the same, for the engine brings messages first', async () => {
    const { result } = await whileAway('stock', async ({ runId }, id) => {
      await cancel(runId);
      await signal(runId, answerOutput(id, 'mine'));
    });
    expectSettledOnce(result);
    expect(result.status).toBe('cancelled');
  });

  test('two answers: the first stands, the second is refused where it shows', async () => {
    const { result, state } = await whileAway('stock', async ({ runId }, id) => {
      await signal(runId, answerOutput(id, 'first'));
      await signal(runId, answerOutput(id, 'second'));
    });
    expectSettledOnce(result);
    expect(result).toMatchObject({ status: 'done', toolCalls: [{ output: 'first' }] });
    expect(state.rejections.map(({ error }) => error.type)).toEqual(['Holdpoint.Answer.AlreadyAnswered']);
  });

  test('deadline, answer and cancel: one of them settles the call', async () => {
    const { result } = await whileAway('quick', async (run, id) => {
      await passed(run);
      await signal(run.runId, answerOutput(id, 'late'));
      await cancel(run.runId);
    });
    expectSettledOnce(result);
    expect(result.status).toBe('cancelled');
    const [receipt] = result.receipts ?? [];
    expect([receipt?.via, receipt?.late]).toEqual(
      receipt?.via === 'signal' ? ['signal', true] : ['expiry', undefined],
    );
  });

  test('deadline and a late approval: it is declined, whatever the engine brings first', async () => {
    const { result } = await whileAway('refund', async (run, id) => {
      await passed(run);
      await signal(run.runId, { id, ok: true });
    });
    expectSettledOnce(result);
    expect(result).toMatchObject({
      status: 'done',
      toolCalls: [{ isError: true }],
      receipts: [{ via: 'expiry' }],
    });
  });
});

/** Answers of every kind, the accepted one among them; sent ten at a time. */
async function flood(workflowId: string, id: string): Promise<void> {
  const run = bareRun(stage.client, workflowId);
  const handle = stage.client.temporal.workflow.getHandle(workflowId);
  const kinds: readonly ((n: number) => Promise<unknown>)[] = [
    (n) => run.signal({ id: 'nothing', ok: true, answerId: `n${n}` }),
    (n) => run.signal({ id, ok: 'yes', answerId: `n${n}` }),
    () => run.signal({ id, ok: true, data: { results: [{ id: 'b', output: '' }] } }),
    (n) => run.signal(answerOutput(id, `result ${n}`)),
    () => handle.signal('addMessage', 7),
    (n) => run.signal({ id, ok: true, data: { output: 5, [`key ${n}`]: page(n, 3_000) } }),
  ];
  const send = async (lane: number): Promise<void> => {
    for (let n = lane; n < FLOOD; n += 10) await kinds[n % kinds.length]?.(n);
  };
  await Promise.all(Array.from({ length: 10 }, (_, lane) => send(lane)));
}

function expectBounded(state: RunSnapshot): void {
  expect(state.rejections).toHaveLength(50);
  expect(JSON.stringify(state).length).toBeLessThan(150_000);
}

describe(`R29, R30: ${FLOOD} signals of all kinds`, () => {
  test('to a run without a worker: one answer is accepted, the run ends', async () => {
    const { result, state } = await whileAway('stock', ({ runId }, id) => flood(runId, id));
    expectSettledOnce(result);
    expect(result.status).toBe('done');
    expectBounded(state);
  }, 180_000);

  test('to a conversation with one, through continue-as-new: one is accepted, the next ask goes on', async () => {
    const worker = await stage.startWorker();
    const conversation = newId();
    const workflowId = `${CONVERSATION_PREFIX}${conversation}`;
    const run = await stage.client.ask('desk', conversation, stage.play(turns('stock')));
    const { first } = await executionsOf(stage, workflowId);
    await flood(workflowId, run.pending?.id ?? '');
    const result = await stage.client.result(run.runId);
    expectSettledOnce(result);
    expect((await executionsOf(stage, workflowId)).now).not.toBe(first);
    expectBounded(await bareRun(stage.client, workflowId).state());
    const next = await stage.client.ask('desk', conversation, stage.play([{ content: 'And on.' }]));
    expect(next).toMatchObject({ status: 'done', text: 'And on.' });
    await worker.shutdown();
  }, 180_000);
});
