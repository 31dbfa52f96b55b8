import type { BeforeToolDecision, Hooks, ToolHookContext } from '../../src/agent/hooks';
import { answerDeclined, answerOutput, relayCallsOf } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { defineAgent, defineTool, pending } from '../../src/tools';
import { calls, openDesk, pendingId, relayed, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';

let ran: unknown[] = [];
let before: { readonly input: unknown; readonly ctx: ToolHookContext }[] = [];
let after: { readonly output: string; readonly ctx: ToolHookContext }[] = [];
/** The worker's hooks, set by each test. */
let hooks: Hooks = {};

const refund = defineTool({
  name: 'refund',
  description: 'Refunds',
  inputSchema: { type: 'object', properties: { cents: { type: 'integer' } } },
  execute: (args) => {
    ran.push(args);
    return `refunded ${JSON.stringify(args)}`;
  },
});
const asking = defineTool({
  name: 'asking',
  description: 'Asks',
  execute: (_args, { answer }) => (answer ? 'answered' : pending({ kind: 'question', prompt: 'Well?' })),
});
const unsure = defineTool({
  name: 'unsure',
  description: 'Its predicate throws',
  needsApproval: () => {
    throw new Error('no idea');
  },
  execute: () => 'ran',
});

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  const tools = [relayed, refund, asking, unsure];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })], undefined, {
    hooks: {
      beforeModel: (messages, ctx) => hooks.beforeModel?.(messages, ctx),
      afterModel: (response, ctx) => hooks.afterModel?.(response, ctx),
      beforeTool: (input, ctx) => {
        before.push({ input, ctx });
        return hooks.beforeTool?.(input, ctx);
      },
      afterTool: (result, ctx) => {
        after.push({ output: result.output, ctx });
        return hooks.afterTool?.(result, ctx);
      },
    },
  });
});
beforeEach(() => {
  ran = [];
  before = [];
  after = [];
  hooks = {};
});
afterAll(() => desk.close());

function call(name: string, args: object = {}): Promise<RunResult> {
  const toolCalls = [{ id: 'c', name, arguments: JSON.stringify(args) }];
  return desk.client.run('desk', desk.play([{ toolCalls }, { content: 'Done.' }]), { context: { user: 7 } });
}

const decide = (decision: BeforeToolDecision): void => {
  hooks = { beforeTool: () => decision };
};
const output = ({ toolCalls }: RunResult) => toolCalls[0]?.output;

test('R28, R42: what an approver gives in the tool’s place passes afterTool; the tool does not run', async () => {
  hooks = { afterTool: (result) => ({ ...result, output: `${result.output}, masked` }) };
  const halted = await call('unsure');
  const answer = { id: pendingId(halted), ok: true, data: { output: 'done by hand' } };
  const done = await desk.client.runWithAnswer(halted.runId, answer);
  expect(output(done)).toBe('done by hand, masked');
  expect(after.map((seen) => seen.output)).toEqual(['done by hand']);
});

test('R42: beforeTool is told of the call, and by deciding nothing lets it go on', async () => {
  const done = await call('refund', { cents: 5 });
  expect(output(done)).toBe('refunded {"cents":5}');
  expect(before).toEqual([
    {
      input: { cents: 5 },
      ctx: { runId: done.runId, agent: 'desk', turn: 1, context: { user: 7 }, callId: 'c', tool: 'refund' },
    },
  ]);
});

test('R42: beforeTool may replace the arguments; the transcript keeps what the model wrote', async () => {
  decide({ input: { cents: 1 } });
  const done = await call('refund', { cents: 5 });
  expect(ran).toEqual([{ cents: 1 }]);
  expect(done.messages[1]).toMatchObject({ tool_calls: [{ function: { arguments: '{"cents":5}' } }] });
});

test('R42: replaced arguments are what a relayed call hands to its host', async () => {
  decide({ input: { sku: 'other' } });
  const halted = await desk.client.run('desk', desk.play([calls('a')]));
  expect(relayCallsOf(halted.pending)).toMatchObject([
    { input: { sku: 'other' }, arguments: '{"sku":"other"}' },
  ]);
});

test('R42: beforeTool may give the result; the tool does not run', async () => {
  decide({ result: { output: 'from the cache', isError: false } });
  expect(output(await call('refund', { cents: 5 }))).toBe('from the cache');
  expect(ran).toEqual([]);
});

test('R42: beforeTool may suspend; approved, the call runs for the first time, and the hook is not asked again', async () => {
  decide({ suspend: { kind: 'question', prompt: 'Is this wise?' } });
  const halted = await call('refund', { cents: 5 });
  expect(halted.pending).toMatchObject({ kind: 'question', prompt: 'Is this wise?' });
  const done = await desk.client.runWithAnswer(halted.runId, { id: pendingId(halted), ok: true });
  expect(output(done)).toBe('refunded {"cents":5}');
  expect(before).toHaveLength(1);
  expect(ran).toHaveLength(1);
});

test("R42: declined, a hook's suspension keeps the tool from running", async () => {
  decide({ suspend: { kind: 'question', prompt: 'Is this wise?' } });
  const halted = await call('refund', { cents: 5 });
  const done = await desk.client.runWithAnswer(halted.runId, answerDeclined(pendingId(halted)));
  expect(output(done)).toBe('declined/expired: Is this wise?');
  expect(ran).toEqual([]);
});

test('R42: a hook that throws makes an error result and does not repeat the model call', async () => {
  const requests = desk.model.requests.length;
  hooks = {
    beforeTool: () => {
      throw new Error('ledger is down');
    },
  };
  const done = await call('refund', { cents: 5 });
  expect(done).toMatchObject({ status: 'done', toolCalls: [{ isError: true }] });
  expect(output(done)).toContain('ledger is down');
  expect(ran).toEqual([]);
  expect(desk.model.requests).toHaveLength(requests + 2);
});

test('R42: a predicate that throws asks for approval and does not repeat the model call', async () => {
  const requests = desk.model.requests.length;
  const halted = await call('unsure');
  expect(halted.pending).toMatchObject({ kind: 'approval' });
  expect(desk.model.requests).toHaveLength(requests + 1);
});

test('R42: afterTool sees the result of a local tool and may replace it', async () => {
  hooks = { afterTool: (result) => ({ ...result, output: `${result.output}, noted` }) };
  expect(output(await call('refund', { cents: 5 }))).toBe('refunded {"cents":5}, noted');
  expect(after).toMatchObject([
    { output: 'refunded {"cents":5}', ctx: { tool: 'refund', input: { cents: 5 } } },
  ]);
});

test('R42: afterTool runs on a relayed result as on a local one', async () => {
  hooks = { afterTool: (result) => ({ ...result, output: `${result.output}, noted` }) };
  const halted = await desk.client.run('desk', desk.play([calls('a'), { content: 'Done.' }]));
  expect(after).toEqual([]);
  const done = await desk.client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '7'));
  expect(output(done)).toBe('7, noted');
  expect(after).toMatchObject([{ output: '7', ctx: { tool: 'stock', callId: 'a' } }]);
});

test('R42: afterTool runs on the result, not on the suspension before it', async () => {
  const halted = await call('asking');
  expect(after).toEqual([]);
  await desk.client.runWithAnswer(halted.runId, { id: pendingId(halted), ok: true });
  expect(after.map((entry) => entry.output)).toEqual(['answered']);
});

test('R42: an afterTool that throws hides the result, which it may have been there to clean', async () => {
  hooks = {
    afterTool: () => {
      throw new Error('no dice');
    },
  };
  const done = await call('refund', { cents: 5 });
  expect(done.toolCalls).toMatchObject([{ isError: true }]);
  expect(output(done)).toContain('no dice');
  expect(output(done)).not.toContain('refunded');
});

test('R42: beforeModel may change what one request sends; the transcript stays', async () => {
  hooks = {
    beforeModel: (messages) => ({ messages: [...messages, { role: 'user', content: 'Be brief.' }] }),
  };
  const done = await desk.client.run('desk', desk.play([{ content: 'Hi.' }]));
  const { messages } = desk.model.requests.at(-1)?.body as { messages: unknown[] };
  expect(messages.at(-1)).toEqual({ role: 'user', content: 'Be brief.' });
  expect(done.messages).toHaveLength(2);
});

test('R42: afterModel sees the response; when it throws the run fails and says which hook it was', async () => {
  hooks = {
    afterModel: ({ text }) => {
      throw new Error(`not ${text}`);
    },
  };
  const failed = await desk.client.run('desk', desk.play([{ content: 'Hi.' }]));
  expect(failed).toMatchObject({
    status: 'failed',
    error: { message: 'The hook afterModel failed: not Hi.' },
  });
});
