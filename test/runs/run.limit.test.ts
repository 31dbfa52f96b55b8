import { balanceProblem } from '../../src/agent/balance';
import { answerOutput } from '../../src/agent/relay';
import { defineAgent, defineTool } from '../../src/tools';
import { calls, openDesk, pendingId, relayed, type Desk } from '../client/desk';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';

const look = defineTool({ name: 'look', description: 'Looks', execute: () => 'seen' });
const hang = defineTool({
  name: 'hang',
  description: 'Takes until it is aborted',
  execute: (_args, { signal }) =>
    new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
});

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  const tools = [relayed, look, hang];
  desk = await openDesk([
    defineAgent({ name: 'desk', model: 'scripted', tools }),
    defineAgent({ name: 'strict', model: 'scripted', tools, limits: { maxTurns: 2 } }),
  ]);
});
afterAll(() => desk.close());

const looks = (...ids: string[]) => ({
  content: 'Let me see.',
  toolCalls: ids.map((id) => ({ id, name: 'look', arguments: {} })),
});
const looking = (turns: number) => Array.from({ length: turns }, (_, n) => looks(`c${n}`));

test('R36: ten model calls are the default; the run is incomplete, its transcript balanced', async () => {
  const result = await desk.client.run('desk', desk.play(looking(11)));
  expect(result).toMatchObject({ status: 'incomplete', limit: 'maxTurns', turns: 10, text: 'Let me see.' });
  expect(result.messages).toHaveLength(21);
  expect(balanceProblem(result.messages)).toBeUndefined();
});

test("R36: an agent's own limits count, and the caller's go before them", async () => {
  await expect(desk.client.run('strict', desk.play(looking(5)))).resolves.toMatchObject({
    status: 'incomplete',
    turns: 2,
  });
  const limits = { maxTurns: 3 };
  await expect(desk.client.run('strict', desk.play(looking(5)), { limits })).resolves.toMatchObject({
    turns: 3,
  });
});

test('R36: an answer makes maxTurns count anew', async () => {
  const turns = [looks('a'), calls('b'), looks('c'), { content: 'Done.' }];
  const halted = await desk.client.run('desk', desk.play(turns), { limits: { maxTurns: 2 } });
  const done = await desk.client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
  expect(done).toMatchObject({ status: 'done', turns: 4 });
});

test('R36: a message makes maxTurns count anew', async () => {
  const halted = await desk.client.run('desk', desk.play([calls('a'), { content: 'Done.' }]), {
    limits: { maxTurns: 1 },
  });
  await desk.client.addMessage(halted.runId, 'And hurry');
  const done = await desk.client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
  expect(done).toMatchObject({ status: 'done', turns: 2 });
});

test('R36: maxTotalTurns counts the whole run, answers or not', async () => {
  const halted = await desk.client.run('desk', desk.play([calls('a'), looks('b'), { content: 'Done.' }]), {
    limits: { maxTotalTurns: 2 },
  });
  const result = await desk.client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
  expect(result).toMatchObject({ status: 'incomplete', limit: 'maxTotalTurns', turns: 2 });
});

test('R36: maxTokens counts input and output of the whole run', async () => {
  const usage = { promptTokens: 40, completionTokens: 10 };
  const turns = looking(5).map((turn) => ({ ...turn, usage }));
  const result = await desk.client.run('desk', desk.play(turns), { limits: { maxTokens: 120 } });
  expect(result).toMatchObject({
    status: 'incomplete',
    limit: 'maxTokens',
    turns: 3,
    usage: { inputTokens: 120, outputTokens: 30, totalTokens: 150 },
  });
});

test('R36: maxToolCalls lets that many calls run; the rest of the message have results that say why', async () => {
  const result = await desk.client.run('desk', desk.play([looks('a', 'b', 'c')]), {
    limits: { maxToolCalls: 2 },
  });
  expect(result).toMatchObject({ status: 'incomplete', limit: 'maxToolCalls', toolCallCount: 2 });
  expect(result.toolCalls.map(({ output }) => output)).toEqual([
    'seen',
    'seen',
    'not run: look (limit maxToolCalls of 2)',
  ]);
});

test('R36: timeoutMs ends a run in the middle of a tool, which is aborted', async () => {
  const text = desk.play([{ toolCalls: [{ id: 'h', name: 'hang', arguments: {} }] }]);
  const result = await desk.client.run('desk', text, { limits: { timeoutMs: 3_000 } });
  expect(result).toMatchObject({
    status: 'incomplete',
    limit: 'timeoutMs',
    toolCalls: [{ output: 'stopped' }],
  });
  expect(balanceProblem(result.messages)).toBeUndefined();
});

test('R36: timeoutMs ends a run in the middle of a model call', async () => {
  const text = desk.play([{ content: 'Never.', hold: new Promise<never>(() => undefined) }]);
  const result = await desk.client.run('desk', text, { limits: { timeoutMs: 2_000 } });
  expect(result).toMatchObject({ status: 'incomplete', limit: 'timeoutMs', messages: [{ role: 'user' }] });
});

test('R36: waiting for a host uses up none of timeoutMs', async () => {
  const timeoutMs = 8_000;
  const halted = await desk.client.run('desk', desk.play([calls('a'), { content: 'Done.' }]), {
    limits: { timeoutMs },
  });
  expect(halted).toMatchObject({ status: 'pending' });
  const later = Date.now() + timeoutMs;
  await until('more than its time has passed', () => Date.now() > later);
  const done = await desk.client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
  expect(done).toMatchObject({ status: 'done' });
});

test('R36: the text at a limit is only what the last turn said', async () => {
  const turns = [
    { ...looks('a'), content: 'First.' },
    { ...looks('b'), content: null },
  ];
  const result = await desk.client.run('desk', desk.play(turns), { limits: { maxTurns: 2 } });
  expect(result).toMatchObject({ status: 'incomplete', text: '' });
});

test('R36: continue starts a new run from the transcript of one that has ended', async () => {
  const text = desk.play([...looking(2), { content: 'There it is.' }]);
  const first = await desk.client.run('desk', text, { limits: { maxTurns: 2 }, context: { user: 7 } });
  const second = await desk.client.continue(first.runId, 'Go on, please', { limits: { maxTurns: 5 } });
  expect(second.runId).not.toBe(first.runId);
  expect(second).toMatchObject({ status: 'done', text: 'There it is.', turns: 1, toolCallCount: 0 });
  expect(second.messages.slice(0, -1)).toEqual([
    ...first.messages,
    { role: 'user', content: 'Go on, please' },
  ]);
  await expect(desk.client.get(first.runId)).resolves.toEqual(first);
});

test('R36: continue without a text goes on where the run stood', async () => {
  const first = await desk.client.run('desk', desk.play([looks('a'), { content: 'Done.' }]), {
    limits: { maxTurns: 1 },
  });
  const second = await desk.client.continue(first.runId);
  expect(second).toMatchObject({ status: 'done', text: 'Done.' });
  expect(second.messages.slice(0, -1)).toEqual(first.messages);
});

test('R36: a run that has not ended cannot be continued', async () => {
  const halted = await desk.client.run('desk', desk.play([calls('a')]));
  await expect(desk.client.continue(halted.runId)).rejects.toEqual(
    holdpointError('Holdpoint.Client.InvalidOptions'),
  );
});
