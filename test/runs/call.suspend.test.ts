import type { RunResult } from '../../src/agent/result';
import type { ToolContext } from '../../src/agent/tool';
import { answerOutput, relayCallsOf } from '../../src/agent/relay';
import { authRequired, defineAgent, defineTool, pending, relayTool } from '../../src/tools';
import { openDesk, pendingId, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';

type Args = Record<string, unknown>;

/** What ran, in order. */
let ran: { readonly name: string; readonly args: Args; readonly answer: ToolContext['answer'] }[] = [];
/** What the predicate was asked about. */
let asked: Args[] = [];

const note = (name: string, args: Args, { answer }: ToolContext) => ran.push({ name, args, answer });
const order = { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] };

const refund = defineTool({
  name: 'refund',
  description: 'Refunds',
  inputSchema: order,
  needsApproval: true,
  execute: (args, ctx) => `refunded ${note('refund', args, ctx)}`,
});
const voucher = defineTool({
  name: 'voucher',
  description: 'Gives a voucher',
  inputSchema: order,
  needsApproval: (args) => {
    asked.push(args);
    return Number(args['cents']) > 500;
  },
  execute: (args, ctx) => {
    note('voucher', args, ctx);
    return `voucher of ${JSON.stringify(args['cents'])}`;
  },
});
const dispatch = relayTool({
  name: 'dispatch',
  description: 'Sends a parcel',
  inputSchema: order,
  needsApproval: true,
});
const question = defineTool({
  name: 'question_once',
  description: 'Asks once',
  execute: (args, ctx) => {
    note('question_once', args, ctx);
    if (!ctx.answer) return pending({ id: 'my-own-id', kind: 'question', prompt: 'Which colour?' });
    return `chose ${JSON.stringify(ctx.answer.data)}`;
  },
});
const stubborn = defineTool({
  name: 'stubborn',
  description: 'Always asks',
  execute: (args, ctx) => {
    note('stubborn', args, ctx);
    return pending({ kind: 'question', prompt: ctx.answer ? 'Sure?' : 'Really?' });
  },
});
const login = defineTool({
  name: 'login',
  description: 'Needs a login',
  execute: (args, ctx) => {
    note('login', args, ctx);
    return ctx.answer ? 'logged in' : authRequired('https://example.com/login');
  },
});
const guarded = defineTool({
  name: 'guarded',
  description: 'Needs an approval, then asks itself',
  needsApproval: true,
  execute: (args, ctx) => {
    note('guarded', args, ctx);
    return ctx.answer ? 'all clear' : pending({ kind: 'question', prompt: 'Which door?' });
  },
});

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  const tools = [refund, voucher, dispatch, question, stubborn, login, guarded];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })]);
});
beforeEach(() => {
  ran = [];
  asked = [];
});
afterAll(() => desk.close());

function call(name: string, args: object = {}): Promise<RunResult> {
  const toolCalls = [{ id: 'c', name, arguments: JSON.stringify(args) }];
  return desk.client.run('desk', desk.play([{ toolCalls }, { content: 'Done.' }]));
}

const answer = (halted: RunResult, more: object): Promise<RunResult> =>
  desk.client.runWithAnswer(halted.runId, { id: pendingId(halted), ok: true, ...more });

const output = ({ toolCalls }: RunResult) => toolCalls[0]?.output;

test('R28: a call that needs approval has not run; approved, it runs once with exactly what was shown', async () => {
  const halted = await call('refund', { cents: 900 });
  expect(ran).toEqual([]);
  expect(halted.pending).toMatchObject({
    kind: 'approval',
    prompt: 'approve refund({"cents":900})',
    data: { tool: 'refund', input: { cents: 900 }, callId: 'c' },
  });
  const done = await answer(halted, {});
  expect(done).toMatchObject({ status: 'done', toolCalls: [{ output: 'refunded 1', isError: false }] });
  expect(ran).toEqual([{ name: 'refund', args: { cents: 900 }, answer: undefined }]);
});

test('R25, R28: declined, it does not run, and the model reads why', async () => {
  const done = await answer(await call('refund', { cents: 900 }), { ok: false, reason: 'too much' });
  expect(done).toMatchObject({ status: 'done', text: 'Done.', toolCalls: [{ isError: true }] });
  expect(output(done)).toBe('declined/expired: approve refund({"cents":900})\nreason: too much');
  expect(ran).toEqual([]);
});

test('R28: `data.output` on an approval is the result, and the tool does not run', async () => {
  const done = await answer(await call('refund', { cents: 900 }), { data: { output: 'paid by hand' } });
  expect(output(done)).toBe('paid by hand');
  expect(ran).toEqual([]);
});

test('R28: an edit runs with the new arguments, and the model is told what ran', async () => {
  const done = await answer(await call('refund', { cents: 900 }), { data: { input: { cents: 400 } } });
  expect(ran.map(({ args }) => args)).toEqual([{ cents: 400 }]);
  expect(done.toolCalls[0]).toMatchObject({
    args: { cents: 400 },
    output: 'The approver changed the arguments to {"cents":400}.\nrefunded 1',
  });
});

test('R28: a predicate lets small ones through unasked', async () => {
  const done = await call('voucher', { cents: 100 });
  expect(done).toMatchObject({ status: 'done', toolCalls: [{ output: 'voucher of 100' }] });
  expect(asked).toEqual([{ cents: 100 }]);
});

test('R28: a predicate is not asked again about arguments that were approved as they were', async () => {
  const done = await answer(await call('voucher', { cents: 900 }), {});
  expect(output(done)).toBe('voucher of 900');
  expect(asked).toEqual([{ cents: 900 }]);
});

test('R28: an edit that the predicate lets through runs at once', async () => {
  const done = await answer(await call('voucher', { cents: 900 }), { data: { input: { cents: 300 } } });
  expect(output(done)).toBe('The approver changed the arguments to {"cents":300}.\nvoucher of 300');
  expect(asked).toEqual([{ cents: 900 }, { cents: 300 }]);
});

test('R28: an edit that the predicate asks about opens one new request; approved unedited it is final', async () => {
  const first = await call('voucher', { cents: 900 });
  const second = await answer(first, { data: { input: { cents: 800 } } });
  expect(second).toMatchObject({
    status: 'pending',
    pending: { kind: 'approval', data: { input: { cents: 800 } } },
  });
  expect(pendingId(second)).not.toBe(pendingId(first));
  expect(ran).toEqual([]);
  const done = await answer(second, {});
  expect(output(done)).toBe('The approver changed the arguments to {"cents":800}.\nvoucher of 800');
  expect(asked).toEqual([{ cents: 900 }, { cents: 800 }]);
});

test('R20, R28: an approved relay call is then handed to the host, with the edited arguments', async () => {
  const approval = await call('dispatch', { cents: 900 });
  expect(approval.pending).toMatchObject({ kind: 'approval' });
  const relayed = await answer(approval, { data: { input: { cents: 5 } } });
  expect(relayCallsOf(relayed.pending)).toEqual([
    { id: 'c', name: 'dispatch', input: { cents: 5 }, arguments: '{"cents":5}' },
  ]);
  const done = await desk.client.runWithAnswer(relayed.runId, answerOutput(pendingId(relayed), 'sent'));
  expect(output(done)).toBe('The approver changed the arguments to {"cents":5}.\nsent');
});

test('R10, R28: a suspension of the tool itself keeps its id; answered, the tool runs once more with the answer', async () => {
  const halted = await call('question_once');
  expect(halted.pending).toEqual({ id: 'my-own-id', kind: 'question', prompt: 'Which colour?' });
  const done = await answer(halted, { data: { colour: 'red' }, by: 'ann' });
  expect(done.toolCalls).toMatchObject([{ output: 'chose {"colour":"red"}', isError: false }]);
  expect(ran).toHaveLength(2);
  expect(ran[1]?.answer).toMatchObject({ id: 'my-own-id', ok: true, data: { colour: 'red' }, by: 'ann' });
});

test('R28: a tool that suspends a second time is unresolved, in the words of its first prompt', async () => {
  const done = await answer(await call('stubborn'), {});
  expect(done).toMatchObject({
    status: 'done',
    toolCalls: [{ output: 'unresolved: Really?', isError: true }],
  });
  expect(ran).toHaveLength(2);
});

test('R28: a declined suspension does not run its tool again', async () => {
  const done = await answer(await call('question_once'), { ok: false, data: { colour: 'red' } });
  expect(output(done)).toBe('declined/expired: Which colour?');
  expect(ran).toHaveLength(1);
});

test('R4: authRequired shows where to log in', async () => {
  const halted = await call('login');
  expect(halted.pending).toMatchObject({
    kind: 'authorization',
    url: 'https://example.com/login',
    prompt: 'Authorization required to continue',
  });
  await expect(answer(halted, {})).resolves.toMatchObject({ toolCalls: [{ output: 'logged in' }] });
});

test('R28: an approved call may suspend itself afterwards, with a request of its own', async () => {
  const approval = await call('guarded');
  const own = await answer(approval, {});
  expect(own).toMatchObject({ status: 'pending', pending: { kind: 'question', prompt: 'Which door?' } });
  const done = await answer(own, {});
  expect(output(done)).toBe('all clear');
  expect(ran.map((entry) => entry.answer?.id)).toEqual([undefined, pendingId(own)]);
});
