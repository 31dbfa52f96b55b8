import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { RunResult } from '../../src/agent/result';
import type { ToolContext } from '../../src/agent/tool';
import { defineAgent } from '../../src/tools';
import { handle, type BoundTool } from '../../src/mcp/bound-tool';
import { define } from '../../src/mcp/definition';
import type { InputRequest } from '../../src/mcp/input-request';
import { ok } from '../../src/mcp/result';
import { agentTools, type AgentToolEntry } from '../../src/mcp/run/agent-tools';
import { openDesk, type Desk } from '../client/desk';
import { askingTool, form } from './asking-tool';

const link: InputRequest = {
  method: 'elicitation',
  params: { mode: 'url', message: 'Sign in', url: 'https://example.com/sign-in' },
};

const opened: Desk[] = [];
afterEach(async () => {
  for (const desk of opened.splice(0)) await desk.close();
});

/** A desk whose agent has these tools. */
async function deskWith(...tools: (BoundTool<ToolContext> | AgentToolEntry)[]): Promise<Desk> {
  const desk = await openDesk([
    defineAgent({ name: 'desk', model: 'scripted', tools: agentTools(...tools) }),
  ]);
  opened.push(desk);
  return desk;
}

const calling = (name: string, args: object): Parameters<Desk['play']>[0] => [
  { toolCalls: [{ id: 'c', name, arguments: args as Record<string, never> }] },
  { content: 'Done.' },
];
const start = (desk: Desk, name = 'book', args: object = {}): Promise<RunResult> =>
  desk.client.run('desk', desk.play(calling(name, args)), { runId: `r-${randomUUID()}` });

const accept = (halted: RunResult, content: Record<string, string | number>) => ({
  id: halted.pending?.id ?? '',
  ok: true as const,
  data: { content },
});

const outputOf = ({ toolCalls }: RunResult): unknown => {
  const text = toolCalls[0]?.output;
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
};

test('a tool that greets works in a durable run, and its structured value is kept', async () => {
  const greet = define('greet', z.object({ name: z.string() }), z.string());
  const desk = await deskWith(handle(greet, ({ name }) => ok(`Hello, ${name}!`)));
  const result = await start(desk, 'greet', { name: 'Ada' });
  expect(result).toMatchObject({ status: 'done', toolCalls: [{ output: 'Hello, Ada!', isError: false }] });
  expect(result.toolCalls[0]?.metadata).toEqual({ structuredContent: 'Hello, Ada!' });
});

test('the call is the run’s: its id, its key, its context', async () => {
  const { tool, calls } = askingTool([]);
  const desk = await deskWith(tool);
  const result = await start(desk);
  expect(calls[0]).toMatchObject({
    requestId: 'c',
    correlation: result.runId,
    context: { runId: result.runId, agent: 'desk', turn: 1 },
  });
  expect(calls[0]?.idempotencyKey).toMatch(/^[\x21-\x7e]{1,128}$/);
});

test('what a tool asks becomes a request, and its answer the next round', async () => {
  const { tool, calls } = askingTool([{ seat: form }]);
  const desk = await deskWith(tool);
  const halted = await start(desk);
  expect(halted.pending).toMatchObject({
    kind: 'input',
    prompt: 'book asks: Which seat?',
    data: { tool: 'book', asks: 'form', form: form.params['requestedSchema'] },
  });
  const done = await desk.client.runWithAnswer(halted.runId, accept(halted, { seat: '4a' }));
  expect(done.status).toBe('done');
  expect(outputOf(done)).toEqual({ seat: { action: 'accept', content: { seat: '4a' } } });
  expect(calls.map(({ inputResponses }) => Object.keys(inputResponses))).toEqual([[], ['seat']]);
  expect(new Set(calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

test('questions of one round are open together, and the tool goes on when all are answered', async () => {
  const { tool, calls } = askingTool([{ seat: form, account: link }]);
  const desk = await deskWith(tool);
  const halted = await start(desk);
  const [seat, account] = (await desk.client.get(halted.runId)).requests ?? [];
  expect(account).toMatchObject({ kind: 'authorization', url: 'https://example.com/sign-in' });
  const still = await desk.client.runWithAnswer(halted.runId, { id: account?.id ?? '', ok: true });
  expect(still).toMatchObject({ status: 'pending', pending: { id: seat?.id } });
  expect(calls).toHaveLength(1);
  const done = await desk.client.runWithAnswer(halted.runId, accept(still, { seat: '1b' }));
  expect(outputOf(done)).toEqual({
    seat: { action: 'accept', content: { seat: '1b' } },
    account: { action: 'accept' },
  });
});

test('a no reaches the tool as a decline, whatever was said to the others', async () => {
  const { tool } = askingTool([{ seat: form, account: link }]);
  const desk = await deskWith(tool);
  const halted = await start(desk);
  const [seat, account] = (await desk.client.get(halted.runId)).requests ?? [];
  await desk.client.answer(halted.runId, { id: seat?.id ?? '', ok: false, reason: 'no seats' });
  const done = await desk.client.runWithAnswer(halted.runId, { id: account?.id ?? '', ok: true });
  expect(outputOf(done)).toEqual({ seat: { action: 'decline' }, account: { action: 'accept' } });
});

test('the end of its time reaches the tool as a cancel', async () => {
  const { tool } = askingTool([{ seat: form }]);
  const desk = await deskWith({ tool, expiresIn: 50 });
  const runId = `r-${randomUUID()}`;
  await desk.client.start('desk', desk.play(calling('book', {})), { runId });
  expect(outputOf(await desk.client.result(runId))).toEqual({ seat: { action: 'cancel' } });
});

test('an answer that does not fit the form is refused, and the question stays open', async () => {
  const { tool, calls } = askingTool([{ seat: form }]);
  const desk = await deskWith(tool);
  const halted = await start(desk);
  await expect(desk.client.answer(halted.runId, accept(halted, { seat: 4 }))).rejects.toMatchObject({
    type: 'Holdpoint.Answer.Invalid',
  });
  await expect(
    desk.client.answer(halted.runId, { id: halted.pending?.id ?? '', ok: true }),
  ).rejects.toMatchObject({ type: 'Holdpoint.Answer.Malformed' });
  expect(calls).toHaveLength(1);
  expect((await desk.client.get(halted.runId)).requests).toHaveLength(1);
});

test('each round reads exactly what was said to the one before, and none runs twice though workers come and go', async () => {
  const { tool, calls } = askingTool([{ one: form }, { two: form }]);
  const desk = await deskWith(tool);
  const first = await start(desk);
  await desk.stopWorker();
  await desk.startWorker();
  const second = await desk.client.runWithAnswer(first.runId, accept(first, { seat: 'a' }));
  expect(second.status).toBe('pending');
  await desk.stopWorker();
  await desk.startWorker();
  const done = await desk.client.runWithAnswer(first.runId, accept(second, { seat: 'b' }));
  expect(outputOf(done)).toEqual({ two: { action: 'accept', content: { seat: 'b' } } });
  expect(calls.map(({ inputResponses }) => Object.keys(inputResponses))).toEqual([[], ['one'], ['two']]);
});

test('a tool that goes on asking is ended after ten rounds', async () => {
  const rounds = Array.from({ length: 12 }, (_, n) => ({ [`q${n}`]: form }));
  const { tool, calls } = askingTool(rounds);
  const desk = await deskWith(tool);
  let result = await start(desk);
  let asked = 0;
  while (result.pending) {
    asked += 1;
    result = await desk.client.runWithAnswer(result.runId, accept(result, { seat: 'x' }));
  }
  expect(asked).toBe(10);
  expect(calls).toHaveLength(11);
  expect(result.toolCalls[0]).toMatchObject({
    isError: true,
    output: expect.stringContaining('more than 10 times') as string,
  });
});

test('an approval comes before the first round', async () => {
  const { tool, calls } = askingTool([{ seat: form }]);
  const desk = await deskWith({ tool, needsApproval: true });
  const held = await start(desk);
  expect(held.pending).toMatchObject({ kind: 'approval' });
  expect(calls).toHaveLength(0);
  const halted = await desk.client.runWithAnswer(held.runId, { id: held.pending?.id ?? '', ok: true });
  expect(halted.pending).toMatchObject({ kind: 'input' });
  const done = await desk.client.runWithAnswer(held.runId, accept(halted, { seat: 'z' }));
  expect(done.status).toBe('done');
});

test('what no person has to answer is answered on the worker', async () => {
  const sampled: unknown[] = [];
  const { tool } = askingTool([
    {
      text: { method: 'sampling', params: { messages: [], maxTokens: 5 } },
      folders: { method: 'roots', params: {} },
    },
  ]);
  const desk = await deskWith({
    tool,
    sampling: async (params) => {
      sampled.push(params);
      return { role: 'assistant', content: { type: 'text', text: 'pong' }, model: 'm' };
    },
    roots: [{ uri: 'file:///srv/data', name: 'data' }],
  });
  const result = await start(desk);
  expect(outputOf(result)).toEqual({
    text: { role: 'assistant', content: { type: 'text', text: 'pong' }, model: 'm' },
    folders: { roots: [{ uri: 'file:///srv/data', name: 'data' }] },
  });
  expect(sampled).toHaveLength(1);
});

test('a tool that asks for a model where none is offered is told so', async () => {
  const { tool } = askingTool([{ text: { method: 'sampling', params: { messages: [], maxTokens: 5 } } }]);
  const desk = await deskWith(tool);
  const result = await start(desk);
  expect(result.toolCalls[0]).toMatchObject({
    isError: true,
    output: 'book needs sampling, which this run does not offer.',
  });
});

test('a cancelled run ends while a round is open', async () => {
  const { tool, calls } = askingTool([{ seat: form, account: link }]);
  const desk = await deskWith(tool);
  const halted = await start(desk);
  await desk.client.cancel(halted.runId);
  expect(await desk.client.result(halted.runId)).toMatchObject({ status: 'cancelled' });
  expect(calls).toHaveLength(1);
});
