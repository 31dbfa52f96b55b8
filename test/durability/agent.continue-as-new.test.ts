import { approve } from '../../src/agent/decisions';
import { answerOutput } from '../../src/agent/relay';
import type { ScriptedTurn, TestServer } from '../../src/testing';
import { agentTool, defineAgent, defineTool, relayTool } from '../../src/tools';
import { startCarryingServer } from '../support/carrying-server';
import { bareRun } from '../support/bare-run';
import { openDesk, pendingId, type Desk } from '../client/desk';

let server: TestServer;
let desk: Desk;
const paid: unknown[] = [];

/** A server that has every run continue as new after a few turns. */
beforeAll(async () => {
  server = await startCarryingServer();
  const pay = defineTool({
    name: 'pay',
    description: 'Pays',
    needsApproval: true,
    execute: (args) => {
      paid.push(args);
      return 'paid';
    },
  });
  const look = defineTool({ name: 'look', description: 'Looks', execute: () => 'seen' });
  const stock = relayTool({ name: 'stock', description: 'Units in stock' });
  const limits = { maxTurns: 50 };
  const clerk = defineAgent({ name: 'clerk', model: 'scripted', limits, tools: [pay, look, stock] });
  const manager = defineAgent({
    name: 'manager',
    model: 'scripted',
    limits,
    tools: [agentTool(clerk), look],
  });
  const tools = [agentTool(clerk), agentTool(manager), look, stock];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', limits, tools })], server);
});
afterAll(async () => {
  await desk?.close();
  await server.stop();
});
beforeEach(() => paid.splice(0));

const done: ScriptedTurn = { content: 'Done.' };
const call = (name: string, args: object = {}, id = name): ScriptedTurn => ({
  toolCalls: [{ id, name, arguments: JSON.stringify(args) }],
});
const looks = (n: number): ScriptedTurn[] => Array.from({ length: n }, (_, at) => call('look', {}, `l${at}`));
const task = (...turns: ScriptedTurn[]) => ({ input: desk.play([...turns, done]) });

async function executions(workflowId: string): Promise<number> {
  const { workflow } = desk.client.temporal;
  let runId = (await workflow.getHandle(workflowId).describe()).raw.workflowExecutionInfo?.firstRunId;
  let count = 0;
  while (runId) {
    count += 1;
    const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
    runId = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return count;
}

// Two turns more or less: wherever in its history the halt falls, what is asked must surface.
test.each([3, 4, 5, 6, 7])(
  'a sub-agent that continues as new about when it halts (after %i turns) is answered all the same',
  async (n) => {
    const halted = await desk.client.run(
      'desk',
      desk.play([call('clerk', task(...looks(n), call('pay', { n }))), done]),
    );
    expect(halted.pending).toMatchObject({ path: ['clerk'] });
    const bare = bareRun(desk.client, `${halted.runId}/agent-1-0`);
    // Noise: each is one more event of the halted sub-agent.
    for (let at = 0; at < 25; at += 1)
      await bare.signal({ id: 'nothing', ok: true, answerId: `noise-${at}` });
    await bare.state();
    expect(await executions(`${halted.runId}/agent-1-0`)).toBeGreaterThan(1);
    const end = await desk.client.runWithAnswer(halted.runId, approve(pendingId(halted)));
    expect(end).toMatchObject({ status: 'done', toolCalls: [{ name: 'clerk', output: 'Done.' }] });
    expect(paid).toEqual([{ n }]);
  },
  60_000,
);

test('a run that would continue as new waits for its sub-agent to end, and then does', async () => {
  const turns = [
    ...looks(4),
    call('manager', task(...looks(3), call('clerk', task(...looks(5), call('pay'), call('stock'))))),
    ...looks(6),
    call('stock'),
    done,
  ];
  const halted = await desk.client.run('desk', desk.play(turns));
  expect(halted.pending).toMatchObject({ path: ['manager', 'clerk'] });
  const bare = bareRun(desk.client, halted.runId);
  for (let at = 0; at < 25; at += 1) await bare.signal({ id: 'nothing', ok: true, answerId: `noise-${at}` });
  const relayed = await desk.client.runWithAnswer(halted.runId, approve(pendingId(halted)));
  expect(relayed.pending).toMatchObject({ kind: 'tool_call', path: ['manager', 'clerk'] });
  const own = await desk.client.runWithAnswer(halted.runId, answerOutput(pendingId(relayed), '3'));
  expect(own.pending).toMatchObject({ kind: 'tool_call' });
  expect(own.pending).not.toHaveProperty('path');
  const end = await desk.client.runWithAnswer(halted.runId, answerOutput(pendingId(own), '4'));
  expect(end).toMatchObject({ status: 'done', toolCallCount: 12 });
  expect(paid).toHaveLength(1);
  expect(await executions(halted.runId)).toBeGreaterThan(1);
}, 60_000);
