import { z } from 'zod';
import type { JsonObject } from '../../src/agent/json';
import type { RunResult } from '../../src/agent/result';
import type { ToolContext } from '../../src/agent/tool';
import type { ScriptedTurn } from '../../src/testing';
import { agentTool, defineAgent } from '../../src/tools';
import { handleCall } from '../../src/mcp/bound-tool';
import { define } from '../../src/mcp/definition';
import type { InputRequest } from '../../src/mcp/input-request';
import { complete, requestInput } from '../../src/mcp/reply';
import { ok } from '../../src/mcp/result';
import { agentTools } from '../../src/mcp/run/agent-tools';
import { newId, openDesk, type Desk } from '../client/desk';

const form = (message: string): InputRequest => ({
  method: 'elicitation',
  params: {
    message,
    requestedSchema: { type: 'object', properties: { v: { type: 'string' } }, required: ['v'] },
  },
});
let desk: Desk;
const calls: object[] = [];
beforeAll(async () => {
  const book = define('book', z.object({}), z.unknown());
  const tool = handleCall<object, unknown, ToolContext>(book, (call) => {
    calls.push(call.inputResponses);
    if ('c' in call.inputResponses) return ok(complete(call.inputResponses));
    if ('a' in call.inputResponses) return ok(requestInput({ c: form('C?') }));
    return ok(requestInput({ a: form('A?'), b: form('B?') }));
  });
  const clerk = defineAgent({ name: 'clerk', model: 'scripted', tools: agentTools(tool) });
  const manager = defineAgent({ name: 'manager', model: 'scripted', tools: [agentTool(clerk)] });
  const boss = defineAgent({ name: 'boss', model: 'scripted', tools: [agentTool(manager)] });
  desk = await openDesk([clerk, manager, boss]);
});
beforeEach(() => calls.splice(0));
afterAll(() => desk.close());

const asks = (name: string, ...args: readonly JsonObject[]): ScriptedTurn => ({
  toolCalls: args.map((one, n) => ({ id: `c${n}`, name, arguments: one })),
});

/** A run that is halted on two calls of the tool, two agents down. */
async function halted(): Promise<RunResult> {
  const done = { content: 'Done.' };
  const clerkInput = desk.play([asks('book', {}, {}), done]);
  const managerInput = desk.play([asks('clerk', { input: clerkInput }), done]);
  return desk.client.run('boss', desk.play([asks('manager', { input: managerInput }), done]), {
    runId: newId(),
  });
}

test('questions of a sub-agent’s tool are answered at the outermost run, one after the other', async () => {
  let result = await halted();
  const seen: unknown[] = [];
  for (let n = 0; result.status === 'pending'; n += 1) {
    seen.push(result.requests.length);
    const id = result.requests.at(-1)?.id ?? '';
    const answer = n === 1 ? { id, ok: false } : { id, ok: true, data: { content: { v: `${n}` } } };
    result = await desk.client.runWithAnswer(result.runId, answer);
  }
  expect(seen).toEqual([4, 3, 3, 2, 1, 1]);
  expect(result.status).toBe('done');
  const accepted = (v: string) => ({ action: 'accept', content: { v } });
  expect(calls).toEqual([
    {},
    {},
    { a: { action: 'decline' }, b: accepted('0') },
    { c: accepted('2') },
    { a: accepted('4'), b: accepted('3') },
    { c: accepted('5') },
  ]);
});

test('questions of a sub-agent’s tool are answered at once, each answer as large as is taken', async () => {
  let result = await halted();
  const v = 'x'.repeat(64_000);
  for (const rounds of [4, 2]) {
    expect(result.requests).toHaveLength(rounds);
    const answers = (result.requests ?? []).map(({ id }) => ({ id, ok: true, data: { content: { v } } }));
    const outcomes = await desk.client.answerAll(result.runId, answers);
    expect(outcomes.filter(({ ok: isTaken }) => isTaken)).toHaveLength(rounds);
    result = await desk.client.waitForHalt(result.runId);
  }
  expect(result.status).toBe('done');
  expect(calls).toHaveLength(6);
});
