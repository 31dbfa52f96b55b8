import { z } from 'zod';
import { MAX_ANSWER_BYTES } from '../../src/agent/answer';
import { answerOutput } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { defineAgent, defineTool, pending, relayTool } from '../../src/tools';
import { quietRuntime } from '../support/quiet-runtime';
import { openStage, page, type Stage } from './stage';

const inputSchema = z.looseObject({ text: z.string().optional() });
const question = { kind: 'question', prompt: 'Ready?' } as const;
const wait = {
  description: '',
  inputSchema,
  execute: (args: { text?: string | undefined }, { answer }: { answer: unknown }) =>
    answer ? `${args.text?.length} and ${JSON.stringify(answer).length}` : pending(question),
};
const desk = defineAgent({
  name: 'desk',
  model: 'scripted',
  tools: [
    relayTool({ name: 'stock', description: '', inputSchema }),
    defineTool({ name: 'wait', ...wait }),
    defineTool({ name: 'pay', ...wait, needsApproval: true }),
    defineTool({ name: 'look', description: '', execute: () => 'ok' }),
  ],
});
/** As much as one answer may say. */
const MUCH = page(0, MAX_ANSWER_BYTES - 30_000);
/** As much as one message of a model may say. */
const LONG = page(1, 900_000);

let stage: Stage;
beforeAll(async () => {
  quietRuntime('silent');
  stage = await openStage({ agents: [desk] });
});
afterAll(() => stage.close());

/** Halts on a message with these calls. */
async function halt(...calls: readonly { name: string; text?: string }[]): Promise<RunResult> {
  const toolCalls = calls.map(({ name, text }, n) => ({
    id: `${n}`,
    name,
    arguments: text === undefined ? {} : { text },
  }));
  return stage.client.run('desk', stage.play([{ toolCalls }, { content: 'Done.' }]));
}

async function ended({ runId }: RunResult): Promise<RunResult> {
  const result = await stage.client.result(runId);
  expect(result).toMatchObject({ status: 'done', text: 'Done.' });
  return result;
}

test('R30: five large answers in one step of a workflow: what they start does not go out in one message', async () => {
  const worker = await stage.startWorker();
  const run = await halt(...Array.from({ length: 5 }, () => ({ name: 'wait' })));
  await worker.shutdown();
  const handle = stage.client.temporal.workflow.getHandle(run.runId);
  for (const { id } of run.requests ?? [])
    await handle.signal('runWithAnswer', { id, ok: true, data: { text: MUCH } });
  const next = await stage.startWorker();
  const { toolCalls } = await ended(run);
  expect(toolCalls.map(({ isError }) => isError)).toEqual([false, false, false, false, false]);
  await next.shutdown();
});

describe('with a worker', () => {
  let worker: Awaited<ReturnType<Stage['startWorker']>>;
  beforeAll(async () => (worker = await stage.startWorker()));
  afterAll(() => worker.shutdown());

  test('R30: the largest answer to the largest arguments reaches the tool', async () => {
    const run = await halt({ name: 'wait', text: LONG });
    await stage.client.answer(run.runId, { id: run.pending?.id ?? '', ok: true, data: { text: MUCH } });
    expect((await ended(run)).toolCalls[0]?.output).toMatch(/^900000 and 10\d{5}$/);
  });

  test('R28, R30: so it does to the largest edit', async () => {
    const run = await halt({ name: 'pay', text: page(2, 100_000) });
    const input = { text: page(3, 250_000) };
    const asked = await stage.client.runWithAnswer(run.runId, {
      id: run.pending?.id ?? '',
      ok: true,
      data: { input },
    });
    await stage.client.answer(run.runId, { id: asked.pending?.id ?? '', ok: true, data: { text: MUCH } });
    expect((await ended(run)).toolCalls[0]?.output).toContain('\n250000 and 10');
  });

  test('R20, R24: a relayed call takes as much as a request has room for; more is an error for the model', async () => {
    const run = await halt(
      { name: 'stock', text: page(4, 450_000) },
      { name: 'stock', text: page(5, 100_000) },
    );
    expect(run.toolCalls.map(({ output }) => output.slice(0, 10))).toEqual(['relay tool', 'not asked:']);
    await stage.client.answer(run.runId, answerOutput(run.pending?.id ?? '', MUCH));
    expect((await ended(run)).toolCalls[0]?.output).toBe(MUCH);
  });

  test('R16: a message with more calls than the engine takes', async () => {
    const toolCalls = Array.from({ length: 2100 }, (_, n) => ({ id: `${n}`, name: 'look', arguments: {} }));
    const run = await stage.client.run('desk', stage.play([{ toolCalls }, { content: 'Done.' }]));
    expect(run).toMatchObject({ status: 'done', toolCallCount: 2100 });
    expect(run.toolCalls.filter(({ isError }) => !isError)).toHaveLength(256);
  });
});

test('R30, R32: a host in the worker answers the largest request with the largest answer', async () => {
  const worker = await stage.startWorker({ waitFor: ({ id }) => answerOutput(id, MUCH) });
  const run = await halt({ name: 'stock', text: page(4, 450_000) });
  expect(run).toMatchObject({ status: 'done', toolCalls: [{ output: MUCH }] });
  await worker.shutdown();
});

test('R30, R32: an answer of a host that is too large to travel fails the run, and says so', async () => {
  const worker = await stage.startWorker({ waitFor: ({ id }) => answerOutput(id, page(6, 3_000_000)) });
  const run = await halt({ name: 'stock' });
  expect(run.error).toMatchObject({ type: 'Holdpoint.Run.WaitForFailed' });
  expect(run.error?.message).toMatch(/has 30\d+ bytes as JSON; at most 1048576 are taken/);
  await worker.shutdown();
});
