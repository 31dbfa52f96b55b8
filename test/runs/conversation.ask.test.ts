import { balanceProblem } from '../../src/agent/balance';
import { answerOutput } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import type { ToolContext } from '../../src/agent/tool';
import { defineAgent, defineTool, pending } from '../../src/tools';
import { calls, newId, openDesk, pendingId, relayed, type Desk } from '../client/desk';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';

const begun = new Map<string, ToolContext>();
const hang = defineTool({
  name: 'hang',
  description: 'Takes until it is aborted',
  execute: (_args, ctx) => {
    begun.set(ctx.runId ?? '', ctx);
    return new Promise<string>((resolve) => ctx.signal.addEventListener('abort', () => resolve('stopped')));
  },
});
const show = defineTool({
  name: 'show',
  description: 'Shows what it was told',
  execute: (_args, { context, conversationId, runId, turn, signal }) => ({
    context,
    conversationId,
    runId,
    turn,
    aborted: signal.aborted,
  }),
});
const named = defineTool({
  name: 'named',
  description: 'Asks under an id of its own',
  execute: () => pending({ id: 'ticket-1', kind: 'question', prompt: 'Well?' }),
});

let desk: Desk;
let conversationId: string;

beforeAll(async () => {
  quietRuntime();
  const tools = [relayed, hang, show, named];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })]);
});
beforeEach(() => {
  conversationId = newId();
});
afterAll(() => desk.close());

const one = (name: string) => ({ toolCalls: [{ id: 'c1', name, arguments: {} }] });
const ask = (text: string, options?: Parameters<Desk['client']['ask']>[3]): Promise<RunResult> =>
  desk.client.ask('desk', conversationId, text, options);
const shown = ({ toolCalls }: RunResult): unknown => JSON.parse(toolCalls[0]?.output ?? '');
const handle = () => desk.client.temporal.workflow.getHandle(`conversation/${conversationId}`);

test("R39: counts, usage, calls, limits and context are the ask's own; messages are the conversation's", async () => {
  const text = desk.play([one('show'), { content: 'First.' }, one('show'), { content: 'Second.' }]);
  const first = await ask(text, { limits: { maxTotalTurns: 2 }, context: { user: 'ann' } });
  const second = await ask('And now?', { limits: { maxTotalTurns: 2 }, context: { user: 'bob' } });
  const own = { status: 'done', turns: 2, toolCallCount: 1, usage: { totalTokens: 4 } };
  expect(first).toMatchObject(own);
  expect(second).toMatchObject(own);
  expect([first.toolCalls.length, second.toolCalls.length]).toEqual([1, 1]);
  expect(second.messages.slice(0, 4)).toEqual(first.messages);
  expect(second.messages).toHaveLength(8);
  const told = { conversationId, turn: 1, aborted: false };
  expect(shown(first)).toEqual({ ...told, context: { user: 'ann' }, runId: `${conversationId}/1` });
  expect(shown(second)).toEqual({ ...told, context: { user: 'bob' }, runId: `${conversationId}/2` });
});

test('R39: the request ids of two asks differ although turn and index are the same', async () => {
  const first = await ask(desk.play([calls('a'), { content: 'First.' }, calls('a'), { content: 'Second.' }]));
  await desk.client.askWithAnswer(conversationId, answerOutput(pendingId(first), '1'));
  const second = await ask('And now?');
  expect(pendingId(first)).toMatch(/\.1_1_0$/);
  expect(pendingId(second)).toBe(pendingId(first).replace('.1_1_0', '.2_1_0'));
});

test("R39: a tool's own request id is unique within the conversation", async () => {
  const first = await ask(desk.play([one('named'), { content: 'First.' }, one('named')]));
  await desk.client.askWithAnswer(conversationId, { id: pendingId(first), ok: false });
  const second = await ask('And now?');
  expect(pendingId(first)).toBe('ticket-1');
  expect(pendingId(second)).toMatch(/^req_/);
});

test('R39: a failed ask leaves a balanced transcript, and the next one goes on from it', async () => {
  const text = desk.play([one('show'), { status: 401 }]);
  const failed = await ask(text);
  expect(failed).toMatchObject({ status: 'failed', error: { type: 'Holdpoint.Model.Rejected' } });
  expect(balanceProblem(failed.messages)).toBeUndefined();
  desk.play([one('show'), { content: 'Better now.' }], text);
  const again = await ask('Once more');
  expect(again).toMatchObject({ runId: `${conversationId}/2`, status: 'done', text: 'Better now.' });
  expect(again.messages.slice(0, failed.messages.length)).toEqual(failed.messages);
});

test('R39: at most 100 asks wait; the next one is told that the queue is full', async () => {
  await ask(desk.play([calls('a')]));
  for (let n = 0; n < 100; n += 1)
    await handle().executeUpdate('ask', { args: [{ input: `n${n}`, whilePending: 'queue' }] });
  await expect(ask('One too many', { whilePending: 'queue' })).rejects.toEqual(
    holdpointError('Holdpoint.Conversation.QueueFull'),
  );
});

test('R8, R40: cancel aborts the tools of the current ask; the next ask has fresh signals', async () => {
  const first = ask(desk.play([one('hang'), one('show'), { content: 'Second.' }]));
  await until('the tool has begun', () => begun.has(`${conversationId}/1`));
  await desk.client.cancel(`${conversationId}/1`);
  await expect(first).resolves.toMatchObject({ status: 'cancelled', toolCalls: [{ output: 'stopped' }] });
  expect(begun.get(`${conversationId}/1`)?.signal.aborted).toBe(true);
  const second = await ask('And now?');
  expect(second).toMatchObject({ status: 'done', text: 'Second.' });
  expect(shown(second)).toMatchObject({ aborted: false });
});

test("R40: Temporal's own cancel ends the ask and closes the conversation", async () => {
  const halted = await ask(desk.play([calls('a'), { content: 'Never.' }]));
  await handle().cancel();
  await expect(desk.client.result(halted.runId)).resolves.toMatchObject({ status: 'cancelled' });
  await expect(handle().result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  await expect(ask('And now?')).rejects.toEqual(holdpointError('Holdpoint.Conversation.Closed'));
});

test('R40: a conversation closes by itself once it was idle for its time', async () => {
  await ask(desk.play([{ content: 'Hello.' }]), { idleTtlMs: 1_500 });
  await expect(handle().result()).resolves.toEqual({ asks: 1, closedBy: 'idle' });
  await expect(ask('And now?')).rejects.toEqual(holdpointError('Holdpoint.Conversation.Closed'));
});

test('R40: erase deletes a conversation with its messages, halted or not; its id is free again', async () => {
  await ask(desk.play([calls('a')]));
  await desk.client.erase({ conversationId });
  await expect(desk.client.get(`${conversationId}/1`)).rejects.toEqual(
    holdpointError('Holdpoint.Run.NotFound'),
  );
  const anew = await ask(desk.play([{ content: 'Hello.' }]));
  expect(anew).toMatchObject({ runId: `${conversationId}/1`, messages: [{}, { content: 'Hello.' }] });
});

test('R35: a failed or cancelled ask leaves the conversation itself open', async () => {
  await ask(desk.play([{ status: 401 }]));
  expect((await handle().describe()).status.name).toBe('RUNNING');
});

test('R39: the halt of an ask outlives its worker', async () => {
  const halted = await ask(desk.play([calls('a'), { content: 'Done.' }]));
  await desk.stopWorker();
  await desk.startWorker();
  const done = await desk.client.askWithAnswer(conversationId, answerOutput(pendingId(halted), '7'));
  expect(done).toMatchObject({ status: 'done', text: 'Done.', toolCalls: [{ output: '7' }] });
});
