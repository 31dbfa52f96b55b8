import { balanceProblem } from '../../src/agent/balance';
import { answerOutput } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { CONVERSATION_PREFIX } from '../../src/agent/wire';
import type { ScriptedTurn } from '../../src/testing';
import { defineAgent, defineTool, relayTool } from '../../src/tools';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { executionsOf, openRestlessStage } from './carried';
import { newId, page, type Stage } from './stage';

/** Nine of these are more than can be carried into a new execution, which is 1.5 MiB. */
const RESULT_BYTES = 180_000;

/** `WorkflowTaskFailedCause`: a message came while the task was at work, and it is done again. */
const UNHANDLED_COMMAND = 1;

const desk = defineAgent({
  name: 'desk',
  model: 'scripted',
  limits: { maxTurns: 1_000 },
  tools: [
    defineTool({ name: 'page', description: '', execute: ({ n }) => page(Number(n), RESULT_BYTES) }),
    relayTool({ name: 'shelf', description: '' }),
  ],
});

let stage: Stage;
let close: () => Promise<void>;
beforeAll(async () => {
  quietRuntime();
  ({ stage, close } = await openRestlessStage({ agents: [desk] }));
});
afterAll(() => close());

const read = (name: string, n: number): ScriptedTurn => ({
  toolCalls: [{ id: `c${n}`, name, arguments: { n } }],
});

/** Causes of a chain's failed workflow tasks. */
async function failedTasks(workflowId: string): Promise<unknown[]> {
  const causes: unknown[] = [];
  const { workflow } = stage.client.temporal;
  let execution: string | undefined = (await executionsOf(stage, workflowId)).first;
  while (execution !== undefined) {
    const { events } = await workflow.getHandle(workflowId, execution).fetchHistory();
    execution = undefined;
    for (const event of events ?? []) {
      const failed = event.workflowTaskFailedEventAttributes;
      if (failed && Number(failed.cause) !== UNHANDLED_COMMAND) causes.push(failed.cause);
      execution = event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? execution;
    }
  }
  return causes;
}

test('R36: a conversation that cannot be carried any further ends its ask as incomplete, and closes', async () => {
  const { client } = stage;
  const id = newId();
  const results: RunResult[] = [];
  do {
    const n = results.length;
    results.push(await client.ask('desk', id, stage.play([read('page', n), { content: 'Read.' }])));
  } while (results.at(-1)?.status === 'done' && results.length < 30);
  const last = results.at(-1);
  expect(results.length).toBeGreaterThan(8);
  expect(last).toMatchObject({ status: 'incomplete', limit: 'transcriptSize' });
  expect(balanceProblem(last?.messages ?? [])).toBeUndefined();
  // Nothing of what the earlier asks said is lost.
  expect(last?.messages.slice(0, 4 * (results.length - 1))).toEqual(results.at(-2)?.messages);
  const workflowId = `${CONVERSATION_PREFIX}${id}`;
  await expect(client.temporal.workflow.getHandle(workflowId).result()).resolves.toEqual({
    asks: results.length,
    closedBy: 'transcriptSize',
  });
  await expect(client.ask('desk', id, 'More?')).rejects.toEqual(
    holdpointError('Holdpoint.Conversation.Closed'),
  );
  const { first, now } = await executionsOf(stage, workflowId);
  expect(now).not.toBe(first);
  await expect(failedTasks(workflowId)).resolves.toEqual([]);
});

test('R36: a halted run that has outgrown it is still answered; it ends before its next model call', async () => {
  const { client } = stage;
  const turns = Array.from({ length: 40 }, (_, n) => read('shelf', n));
  let run = await client.run('desk', stage.play(turns));
  for (let n = 0; run.pending; n += 1)
    run = await client.runWithAnswer(run.runId, answerOutput(run.pending.id, page(n, RESULT_BYTES)));
  expect(run).toMatchObject({ status: 'incomplete', limit: 'transcriptSize' });
  expect(run.turns).toBeGreaterThan(8);
  expect(run.toolCalls.at(-1)).toMatchObject({ isError: false, output: page(run.turns - 1, RESULT_BYTES) });
  expect(balanceProblem(run.messages)).toBeUndefined();
  await expect(failedTasks(run.runId)).resolves.toEqual([]);
});

test('a conversation whose context takes much of the room closes in time too', async () => {
  const { client, taskQueue } = stage;
  const workflowId = `${CONVERSATION_PREFIX}${newId()}`;
  // As much as a context may have.
  const context = page(0, 250_000);
  const handle = await client.temporal.workflow.start('agentConversation', {
    workflowId,
    taskQueue,
    args: [{ agent: 'desk', context }],
  });
  for (let n = 0; n < 40 && (await handle.describe()).status.name === 'RUNNING'; n += 1) {
    const input = stage.play([read('page', n), { content: 'Read.' }]);
    const ask = handle.executeUpdate('ask', { args: [{ input, whilePending: 'queue' }] });
    const asked = await ask.catch(() => undefined);
    if (!asked) break;
    await client.result(`${workflowId.slice(CONVERSATION_PREFIX.length)}/${n + 1}`);
  }
  await expect(handle.result()).resolves.toMatchObject({ closedBy: 'transcriptSize' });
  await expect(failedTasks(workflowId)).resolves.toEqual([]);
});
