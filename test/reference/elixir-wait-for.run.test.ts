/** The examples of the public page on Elixir's wait_for, each as a durable run. */
import { errorResult, okResult } from '../../src/agent/tool';
import type { WaitFor } from '../../src/agent/wait-for';
import { defineAgent, type CustomTool } from '../../src/tools';
import { openDesk, pendingId, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';

let executions = 0;
const PENDING = { id: 'req-1', kind: 'authorization', prompt: 'Delete this account?' };

/** A literal, as on the page: the suspension is in the result's metadata. */
const approve: CustomTool = {
  name: 'delete_account',
  description: "delete the user's account",
  execute: (_args, { answer }) => {
    executions += 1;
    if (answer?.ok) return okResult('account deleted');
    return errorResult('approval required', { pending: PENDING });
  },
};

let hosted: Desk;
let halting: Desk;
let host: WaitFor;

beforeAll(async () => {
  quietRuntime();
  const agent = defineAgent({ name: 'desk', model: 'gpt-x', tools: [approve] });
  hosted = await openDesk([agent], undefined, { waitFor: (request, ctx) => host(request, ctx) });
  halting = await openDesk([agent]);
});
beforeEach(() => {
  executions = 0;
});
afterAll(() => Promise.all([hosted.close(), halting.close()]));

const turns = (text: string) => [
  { toolCalls: [{ id: 'c1', name: 'delete_account', arguments: '{}' }] },
  { content: text },
];

test('R10, R26: without a waitFor the run halts with the request as the tool made it', async () => {
  const result = await halting.client.run('desk', halting.play(turns('done')));
  expect(result).toMatchObject({ status: 'pending', pending: PENDING });
  expect(result.toolCalls).toMatchObject([{ output: 'Delete this account?', isError: true }]);
});

test('R28: the same halt is resumed later, from elsewhere', async () => {
  const halted = await halting.client.run('desk', halting.play(turns('done')));
  const other = await halting.connect();
  const done = await other.runWithAnswer(halted.runId, { id: pendingId(halted), ok: true });
  await other.disconnect();
  expect(done).toMatchObject({ status: 'done', toolCalls: [{ output: 'account deleted', isError: false }] });
});

test('R28, R32: a waitFor resolves it in line, and the caller sees no halt', async () => {
  host = ({ id }) => ({ id, ok: true });
  const result = await hosted.client.run('desk', hosted.play(turns('done, account deleted')));
  expect(result).toMatchObject({ status: 'done', text: 'done, account deleted' });
  expect(result.toolCalls).toEqual([
    { id: 'c1', name: 'delete_account', args: {}, output: 'account deleted', isError: false },
  ]);
  expect(executions).toBe(2);
});

test('R25, R28: a denial is an error result for the model; the tool is not executed with it', async () => {
  host = ({ id }) => ({ id, ok: false, reason: 'user declined' });
  const result = await hosted.client.run('desk', hosted.play(turns("understood, I won't delete it")));
  expect(result).toMatchObject({ status: 'done', text: "understood, I won't delete it" });
  expect(result.toolCalls).toMatchObject([
    { isError: true, output: 'declined/expired: Delete this account?\nreason: user declined' },
  ]);
  expect(executions).toBe(1);
});
