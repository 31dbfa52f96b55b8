import { relayAnswer } from '../../src/agent/relay';
import { defineAgent, defineTool, relayTool } from '../../src/tools';
import type { ScriptedTurn } from '../../src/testing';
import { quietRuntime } from '../support/quiet-runtime';
import { openStage, page, type Stage } from './stage';

const MIB = 1024 * 1024;
const ALLOWED_100 = 0.9 * MIB;
const RESULT_BYTES = 5_000;
const TIMEOUT_MS = 300_000;

const reader = defineAgent({
  name: 'reader',
  model: 'scripted',
  limits: { maxTurns: 1_000 },
  tools: [
    defineTool({
      name: 'page',
      description: 'Reads one page',
      inputSchema: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
      execute: ({ number }) => page(Number(number), RESULT_BYTES),
    }),
    relayTool({ name: 'shelf', description: 'Reads one page elsewhere' }),
  ],
});

let stage: Stage;
beforeAll(async () => {
  quietRuntime();
  stage = await openStage({ agents: [reader] });
  await stage.startWorker();
});
afterAll(() => stage.close());

/** A model that asks for page after page and is done with its last call. */
function reads(tool: string, modelCalls: number): (turn: number) => ScriptedTurn {
  return (turn) =>
    turn < modelCalls - 1
      ? {
          content: `Page ${turn} next.`,
          toolCalls: [{ id: `call_${turn}`, name: tool, arguments: { number: turn } }],
        }
      : { content: 'Done.' };
}

async function historyBytes(runId: string): Promise<number> {
  const { historySize = 0 } = await stage.client.temporal.workflow.getHandle(runId).describe();
  return historySize;
}

async function readPages(modelCalls: number): Promise<number> {
  const run = await stage.client.run('reader', stage.play(reads('page', modelCalls)), { messages: false });
  expect(run).toMatchObject({ status: 'done', turns: modelCalls, toolCallCount: modelCalls - 1 });
  return historyBytes(run.runId);
}

test(
  'history grows with what was said, not with its square: 0.9 MiB for 100 model calls of 5 kB, thrice that for 300',
  async () => {
    const hundred = await readPages(100);
    expect(hundred).toBeGreaterThan(99 * RESULT_BYTES);
    expect(hundred).toBeLessThanOrEqual(ALLOWED_100);
    const threeHundred = await readPages(300);
    expect(threeHundred).toBeLessThanOrEqual(3 * ALLOWED_100);
    expect(threeHundred / hundred).toBeLessThanOrEqual(3.1);
  },
  TIMEOUT_MS,
);

test(
  'what a host answers stands in history once: 40 relay results of 5 kB take less than twice their size',
  async () => {
    const { client } = stage;
    let run = await client.run('reader', stage.play(reads('shelf', 41)), { messages: false });
    for (let n = 0; run.pending; n += 1) {
      const answer = relayAnswer(run.pending.id, [{ id: `call_${n}`, output: page(n, RESULT_BYTES) }]);
      run = await client.runWithAnswer(run.runId, answer, { messages: false });
    }
    expect(run).toMatchObject({ status: 'done', turns: 41 });
    const bytes = await historyBytes(run.runId);
    expect(bytes).toBeGreaterThan(40 * RESULT_BYTES);
    expect(bytes).toBeLessThan(2 * 40 * RESULT_BYTES);
  },
  TIMEOUT_MS,
);
