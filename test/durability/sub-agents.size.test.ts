import { approve } from '../../src/agent/decisions';
import { agentTool, defineAgent, defineTool } from '../../src/tools';
import { openDesk, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';

/** As many as leave a list of them larger than what else an answer costs. */
const CALLS = 120;

let desk: Desk;
beforeAll(async () => {
  quietRuntime();
  const pay = defineTool({
    name: 'pay',
    description: 'Pays an invoice from the account that the order names',
    needsApproval: true,
    execute: () => 'paid',
  });
  const clerk = defineAgent({ name: 'clerk', model: 'scripted', tools: [pay] });
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools: [agentTool(clerk)] }), clerk]);
});
afterAll(() => desk.close());

/** Bytes of all executions of a run. */
async function chainBytes(workflowId: string): Promise<number> {
  const { workflow } = desk.client.temporal;
  const { raw } = await workflow.getHandle(workflowId).describe();
  let bytes = 0;
  for (let next = raw.workflowExecutionInfo?.firstRunId; next;) {
    const handle = workflow.getHandle(workflowId, next);
    bytes += (await handle.describe()).historySize ?? 0;
    const last = (await handle.fetchHistory()).events?.at(-1);
    next = last?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return bytes;
}

test(`the histories of a sub-agent with ${CALLS} requests and of its caller grow with the answers, not with their square`, async () => {
  const turn = Array.from({ length: CALLS }, (_, n) => ({
    id: `c${n}`,
    name: 'pay',
    arguments: { order: n, note: 'a note of the usual length for an order' },
  }));
  const input = desk.play([{ toolCalls: turn }, { content: 'Paid.' }]);
  const ask = { toolCalls: [{ id: 'a', name: 'clerk', arguments: { input } }] };
  const halted = await desk.client.run('desk', desk.play([ask, { content: 'Done.' }]));
  expect(halted.requests).toHaveLength(CALLS);
  // One after the other, as people do: each answer is a report of its own.
  for (const { id } of halted.requests ?? [])
    await desk.client.answer(halted.runId, approve(id, { by: 'ann' }));
  const done = await desk.client.result(halted.runId);
  expect(done.text).toBe('Done.');
  // The memo has up to 16 kB of what is open, each time that it changes. 100 kB an answer were the list itself.
  for (const workflowId of [halted.runId, `${halted.runId}/agent-1-0`])
    expect(await chainBytes(workflowId)).toBeLessThan(CALLS * 30_000);
}, 300_000);
