import { approve } from '../../src/agent/decisions';
import { agentTool, defineAgent, defineTool } from '../../src/tools';
import type { ScriptedTurn } from '../../src/testing';
import { bundleWorkflows } from '../../src/worker';
import { newId, openDesk, pendingId, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import type { order } from './own-workflows';

const activities = { ship: (what: string): Promise<string> => Promise.resolve(`shipped ${what}`) };
const paid: string[] = [];
let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  const pay = defineTool({
    name: 'pay',
    description: 'Pays',
    needsApproval: true,
    execute: (_args, { runId }) => {
      paid.push(String(runId));
      return 'paid';
    },
  });
  const clerk = defineAgent({ name: 'clerk', model: 'scripted', tools: [pay] });
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools: [agentTool(clerk)] })]);
  await desk.stopWorker();
  const workflowBundle = await bundleWorkflows({ workflowsPath: require.resolve('./own-workflows') });
  await desk.startWorker({ workflowBundle, activities });
}, 120_000);
afterAll(() => desk?.close());

test('runs of one workflow have sub-agents of their own, whose requests are answered at the workflow', async () => {
  const { client, taskQueue } = desk;
  const done: ScriptedTurn = { content: 'Done.' };
  const call = (name: string, args: object): ScriptedTurn => ({
    toolCalls: [{ id: name, name, arguments: JSON.stringify(args) }],
  });
  const turns = () => [call('clerk', { input: desk.play([call('pay', {}), done]) }), done];
  const text = desk.play(turns());
  desk.play(turns(), `${text} again`);
  const workflowId = newId();
  const { workflow } = client.temporal;
  const handle = await workflow.start<typeof order>('order', { workflowId, taskQueue, args: [text] });
  const first = await client.waitForHalt(workflowId);
  expect(first.pending).toMatchObject({ kind: 'approval', path: ['clerk'] });
  await client.answer(workflowId, approve(pendingId(first)));
  const open = async () => (await client.get(workflowId)).pending?.id ?? pendingId(first);
  await until('the second run asks', async () => (await open()) !== pendingId(first));
  await client.answer(workflowId, approve(await open()));
  await expect(handle.result()).resolves.toMatchObject({ first: 'Done.', second: 'Done.' });
  expect(new Set(paid).size).toBe(2);
  for (const runId of paid) expect((await client.get(runId)).status).toBe('done');
}, 60_000);
