import { inputDigest } from '../../src/agent/approval';
import { approve, decline, respond } from '../../src/agent/decisions';
import type { JsonObject } from '../../src/agent/json';
import type { RunResult } from '../../src/agent/result';
import { defineAgent, defineTool, questionTool } from '../../src/tools';
import { openDesk, pendingId, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { holdpointError } from '../support/matchers';
import { until } from '../support/until';

let desk: Desk;
const paid: unknown[] = [];

const inputSchema = {
  type: 'object',
  properties: { order: { type: 'integer' } },
  required: ['order'],
} as const;
const pay = (name: string, options: object) =>
  defineTool({
    name,
    description: 'Pays an order back',
    inputSchema,
    needsApproval: true,
    ...options,
    execute: (args) => {
      paid.push(args);
      return 'paid';
    },
  });

beforeAll(async () => {
  quietRuntime();
  const tools = [
    pay('refund', {}),
    pay('large_refund', { approvers: ['ann', 'finance'] }),
    pay('huge_refund', { quorum: 2 }),
    questionTool(),
  ];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })]);
});
beforeEach(() => paid.splice(0));
afterAll(() => desk.close());

async function halt(name: string, args: object, more: object[] = []) {
  const turn = { toolCalls: [{ id: 'a', name, arguments: args }] };
  const halted = await desk.client.run('desk', desk.play([turn, ...more, { content: 'Done.' }]));
  expect(halted.status).toBe('pending');
  return { runId: halted.runId, id: pendingId(halted), halted };
}

const outputs = ({ toolCalls }: Pick<RunResult, 'toolCalls'>) => toolCalls.map(({ output }) => output);

test('a request shows its policy and the schema that a form needs', async () => {
  const { halted } = await halt('large_refund', { order: 1 });
  expect(halted.pending).toMatchObject({
    policy: { approvers: ['ann', 'finance'] },
    data: { schema: inputSchema, digest: inputDigest({ order: 1 }) },
  });
});

test('only those whom a request asks may answer it, by update and by signal; refused attempts are on record', async () => {
  const { runId, id } = await halt('large_refund', { order: 1 });
  const refused = holdpointError('Holdpoint.Answer.NotApprover', /"bob"/);
  await expect(desk.client.answer(runId, approve(id, { by: 'bob' }))).rejects.toEqual(refused);
  // Again at once: it is on the record already, and must not fill the history.
  await expect(desk.client.answer(runId, approve(id, { by: 'bob' }))).rejects.toEqual(refused);
  const signalled = { ...approve(id, { by: 'bob' }), channel: 'shell' };
  await expect(desk.client.runWithAnswer(runId, signalled)).rejects.toEqual(refused);
  await desk.client.noteRefusal(runId, {
    requestId: id,
    by: 'carol',
    channel: 'api',
    error: { type: 'Holdpoint.Answer.NotApprover', message: 'Not hers.' },
  });
  const handle = desk.client.temporal.workflow.getHandle(runId);
  await expect(handle.query('state')).resolves.toMatchObject({
    status: 'pending',
    rejections: [
      { requestId: id, by: 'bob', error: { type: 'Holdpoint.Answer.NotApprover' } },
      { requestId: id, by: 'bob', channel: 'shell' },
      { requestId: id, by: 'carol', channel: 'api', error: { message: 'Not hers.' } },
    ],
  });
  expect(paid).toEqual([]);
  const by = approve(id, { by: 'dan', roles: ['finance'] });
  expect(await desk.client.answer(runId, by)).toMatchObject({ by: 'dan', as: 'finance', resolved: true });
  await desk.client.result(runId);
  expect(paid).toEqual([{ order: 1 }]);
});

test('requests are listed by whom they ask, and attributes hold no names', async () => {
  const { runId } = await halt('large_refund', { order: 2 });
  const listed = async (approver: string) =>
    (await desk.client.requests({ approver })).some((row) => row.runId === runId);
  await until('it is listed', () => listed('finance'));
  expect(await listed('ann')).toBe(true);
  expect(await listed('bob')).toBe(false);
  const { typedSearchAttributes } = await desk.client.temporal.workflow.getHandle(runId).describe();
  expect(JSON.stringify(typedSearchAttributes)).not.toMatch(/ann|finance/);
});

test('two of many must agree: ten people answer at once, the call runs once', async () => {
  const { runId, id } = await halt('huge_refund', { order: 3 });
  const people = Array.from({ length: 10 }, (_, n) => approve(id, { by: `person-${n}` }));
  const outcomes = await desk.client.answerAll(runId, people);
  const receipts = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.receipt.resolved] : []));
  expect(receipts.sort()).toEqual([false, true]);
  const errors = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error.type]));
  expect(new Set(errors)).toEqual(new Set(['Holdpoint.Answer.AlreadyAnswered']));
  const done = await desk.client.result(runId);
  expect(outputs(done)).toEqual(['paid']);
  expect(paid).toEqual([{ order: 3 }]);
  expect(done.receipts?.map(({ resolved }) => resolved)).toEqual([false, true]);
});

test.each(['update', 'signal'])(
  'a vote that edits there and back made void is given again, by %s',
  async (way) => {
    const { runId, id } = await halt('huge_refund', { order: 30 });
    const vote = approve(id, { by: 'ann', digest: inputDigest({ order: 30 }) });
    const cast = async () => {
      if (way === 'update') await desk.client.answer(runId, vote);
      else await desk.client.runWithAnswer(runId, vote);
    };
    await cast();
    await desk.client.answer(runId, approve(id, { by: 'bob', input: { order: 31 } }));
    const back = { by: 'cy', input: { order: 30 }, digest: inputDigest({ order: 31 }) };
    await desk.client.answer(runId, approve(id, back));
    await cast();
    const done = await desk.client.result(runId);
    expect(outputs(done)).toEqual([expect.stringMatching(/^paid$/m)]);
    expect(paid.at(-1)).toEqual({ order: 30 });
    expect(done.receipts).toMatchObject([
      { voided: true },
      { voided: true },
      { by: 'cy' },
      { by: 'ann', resolved: true },
    ]);
  },
);

test('an approval of all calls lets the later ones run, until it is taken back', async () => {
  const again = { toolCalls: [{ id: 'b', name: 'refund', arguments: { order: 5 } }] };
  const last = { toolCalls: [{ id: 'c', name: 'refund', arguments: { order: 6 } }] };
  const other = { toolCalls: [{ id: 'q', name: 'question', arguments: { question: 'Go on?' } }] };
  const { runId, id } = await halt('refund', { order: 4 }, [again, other, last]);
  const asked = await desk.client.runWithAnswer(runId, approve(id, { by: 'ann', allCalls: true }));
  expect(asked.pending).toMatchObject({ kind: 'question' });
  expect(paid).toEqual([{ order: 4 }, { order: 5 }]);
  expect(asked.receipts).toMatchObject([
    { via: 'signal', by: 'ann', allCallsOf: 'refund' },
    { via: 'policy', by: 'ann', digest: inputDigest({ order: 5 }) },
  ]);
  const { grants } = asked;
  expect(grants).toEqual([{ tool: 'refund', requestId: id, by: 'ann', at: asked.receipts?.[0]?.at }]);
  expect((await desk.client.get(runId, { messages: false })).grants).toEqual(grants);
  expect(await desk.client.revokeApproval(runId, 'refund', { by: 'bob' })).toBe(true);
  expect((await desk.client.get(runId)).grants).toBeUndefined();
  expect(await desk.client.revokeApproval(runId, 'refund')).toBe(false);
  const halted = await desk.client.runWithAnswer(runId, respond(pendingId(asked), 'yes'));
  expect(halted.pending).toMatchObject({ kind: 'approval', data: { input: { order: 6 } } });
  const done = await desk.client.runWithAnswer(runId, decline(pendingId(halted), 'enough'));
  expect(paid).toHaveLength(2);
  expect(outputs(done)[3]).toContain('reason: enough');
});

describe('a question', () => {
  const ask = (args: object) => halt('question', args);

  test('takes words', async () => {
    const { runId, id, halted } = await ask({ question: 'Which size?' });
    expect(halted.pending).toMatchObject({ kind: 'question', prompt: 'Which size?', data: { asks: 'text' } });
    await expect(desk.client.answer(runId, { id, ok: true })).rejects.toEqual(
      holdpointError('Holdpoint.Answer.Malformed', /`data.output` to be the answer/),
    );
    expect(outputs(await desk.client.runWithAnswer(runId, respond(id, 'L')))).toEqual(['L']);
  });

  test('takes one of its choices, and nothing else', async () => {
    const { runId, id } = await ask({ question: 'Which?', choices: ['red', 'blue'] });
    await expect(desk.client.answer(runId, respond(id, 'green'))).rejects.toEqual(
      holdpointError('Holdpoint.Answer.Invalid', /none of the question's 2 choices/),
    );
    expect(outputs(await desk.client.runWithAnswer(runId, respond(id, 'blue')))).toEqual(['blue']);
  });

  test('takes a form that fits its schema', async () => {
    const form = { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] };
    const { runId, id } = await ask({ question: 'Fill in', form });
    const fill = (content: JsonObject) => ({ id, ok: true, data: { content } });
    await expect(desk.client.answer(runId, fill({ size: 'L' }))).rejects.toEqual(
      holdpointError('Holdpoint.Answer.Invalid', /size/),
    );
    expect(outputs(await desk.client.runWithAnswer(runId, fill({ size: 4 })))).toEqual(['{"size":4}']);
  });

  test('that makes no sense is told to the model', async () => {
    const turn = {
      toolCalls: [{ id: 'a', name: 'question', arguments: { question: 'x', form: { type: 'array' } } }],
    };
    const done = await desk.client.run('desk', desk.play([turn, { content: 'Done.' }]));
    expect(outputs(done)[0]).toMatch(/JSON Schema of type object/);
  });
});
