import { approve } from '../../src/agent/decisions';
import { HoldpointError } from '../../src/agent/errors';
import { answerOutput } from '../../src/agent/relay';
import type { HoldpointClient } from '../../src/client/holdpoint-client';
import type { RunView } from '../../src/client/run-result';
import type { McpServing } from '../../src/mcp/server/create-mcp-server';
import type { McpServerOptions } from '../../src/mcp/server/options';
import { newGate, type Desk } from '../client/desk';
import {
  accept,
  askDesk,
  asksTwice,
  eliciting,
  instead,
  newKey,
  refunded,
  serveDesk,
  useRefundDesk,
} from './agent-desk';
import { connectTo } from './linked';

const openedDesk = useRefundDesk();
let desk: Desk;
beforeAll(() => {
  desk = openedDesk();
});

const secret = new Uint8Array(32).fill(5);
/** All take each other's states. */
function serve(options: Partial<McpServerOptions> = {}): McpServing {
  return serveDesk(desk, { stateKeys: () => [{ id: 'shared', secret, verifyOnly: false }], ...options });
}
const through = (client: HoldpointClient) => connectTo(serve({ client }), eliciting);
const done = { kind: 'result', result: { content: [{ text: 'Done.' }] } };
const refused = { code: -32602, data: { reason: 'invalid_request_state' } };

test('where others have answered everything meanwhile, a state follows the run on', async () => {
  const connection = await connectTo(serve(), eliciting);
  const input = asksTwice(desk);
  const { requestState, runId, approvalId, questionId } = await askDesk(connection, input);
  await desk.client.answer(runId, approve(approvalId, { by: 'ana' }));
  await desk.client.answer(runId, answerOutput(questionId, 'a'));
  const inputResponses = {
    ...accept(approvalId, { decision: 'decline' }),
    ...accept(questionId, { answer: 'b' }),
  };
  const late = { requestState, inputResponses };
  expect(await connection.request('desk', { input }, late)).toMatchObject(done);
  // Nothing was answered with it, so that it is not used up.
  expect(await connection.request('desk', { input }, late)).toMatchObject(done);
  expect(refunded).toEqual([7]);
});

test('where others are faster while the answers are under way, the run is followed on', async () => {
  const input = asksTwice(desk);
  const { requestState, runId, approvalId, questionId } = await askDesk(await through(desk.client), input);
  const overtaken = instead(desk.client, {
    answerAll: async (...args) => {
      await desk.client.answer(runId, approve(approvalId, { by: 'ana' }));
      await desk.client.answer(runId, answerOutput(questionId, 'a'));
      return desk.client.answerAll(...args);
    },
  });
  const inputResponses = {
    ...accept(approvalId, { decision: 'decline' }),
    ...accept(questionId, { answer: 'b' }),
  };
  const outcome = await (
    await through(overtaken)
  ).request('desk', { input }, { requestState, inputResponses });
  expect(outcome).toMatchObject(done);
  expect(refunded).toEqual([7]);
});

test.each<[string, (ids: { questionId: string }) => object, RegExp]>([
  ['missing', () => ({}), /No answer has come/],
  ['of no choice', ({ questionId }) => accept(questionId, { answer: 'c' }), /does not fit/],
  ['without an action', ({ questionId }) => ({ [questionId]: { content: {} } }), /no `action`/],
])(
  'an answer that is %s is asked for again with the reason, and the others count',
  async (_what, wrong, reason) => {
    const connection = await connectTo(serve(), eliciting);
    const input = asksTwice(desk);
    const first = await askDesk(connection, input);
    const inputResponses = { ...accept(first.approvalId, { decision: 'approve' }), ...wrong(first) };
    const again = await askDesk(connection, input, {
      requestState: first.requestState,
      inputResponses,
    });
    expect(again).toMatchObject({ approvalId: '', questionId: first.questionId });
    expect(again.messages[first.questionId]).toMatch(reason);
    expect(again.messages[first.questionId]).toContain('Which?');
    expect(again.requestState).not.toBe(first.requestState);
    const last = { inputResponses: accept(first.questionId, { answer: 'b' }) };
    const fresh = { requestState: again.requestState, ...last };
    expect(await connection.request('desk', { input }, fresh)).toMatchObject(done);
    // Both have been used, whatever they are sent with.
    for (const { requestState } of [first, again])
      await expect(connection.request('desk', { input }, { requestState, ...last })).rejects.toMatchObject(
        refused,
      );
    expect(refunded).toEqual([7]);
  },
);

test('what the run refuses is asked again with the run’s reason, and what it accepted stays accepted', async () => {
  const input = asksTwice(desk);
  const first = await askDesk(await through(desk.client), input);
  const strict = instead(desk.client, {
    answerAll: async (runId, answers, ...more) => {
      const error = new HoldpointError('Holdpoint.Answer.Invalid', 'Nobody may pick b.');
      const kept = answers.filter(({ id }) => id !== first.questionId);
      const outcomes = await desk.client.answerAll(runId, kept, ...more);
      return answers.map((answer) => outcomes[kept.indexOf(answer)] ?? { ok: false, error });
    },
  });
  const again = await askDesk(await through(strict), input, {
    requestState: first.requestState,
    inputResponses: {
      ...accept(first.approvalId, { decision: 'approve' }),
      ...accept(first.questionId, { answer: 'b' }),
    },
  });
  expect(again).toMatchObject({ approvalId: '', questionId: first.questionId });
  expect(again.messages[first.questionId]).toContain('Nobody may pick b.');
  const { requestState } = again;
  const inputResponses = accept(first.questionId, { answer: 'a' });
  const last = await (
    await through(desk.client)
  ).request('desk', { input }, { requestState, inputResponses });
  expect(last).toMatchObject(done);
  expect(refunded).toEqual([7]);
});

test('a request that is not what was shown any more is asked again before anything is agreed to', async () => {
  const input = asksTwice(desk);
  const { requestState, approvalId } = await askDesk(await through(desk.client), input);
  const changed = instead(desk.client, {
    get: async (...args) => {
      const view = await desk.client.get(...args);
      const requests = view.requests?.map((one) =>
        one.id === approvalId ? { ...one, data: { ...one.data, input: { order: 8 } } } : one,
      );
      return { ...view, requests } as RunView;
    },
  });
  const inputResponses = accept(approvalId, { decision: 'approve' });
  const again = await askDesk(await through(changed), input, { requestState, inputResponses });
  expect(again.messages[approvalId]).toMatch(/has changed.*8/s);
  expect(refunded).toEqual([]);
});

test('a reason that is too long is asked for again', async () => {
  const connection = await connectTo(serve(), eliciting);
  const input = asksTwice(desk);
  const { requestState, approvalId, questionId } = await askDesk(connection, input);
  const again = await askDesk(connection, input, {
    requestState,
    inputResponses: {
      ...accept(approvalId, { decision: 'decline', reason: 'x'.repeat(5_000) }),
      ...accept(questionId, { answer: 'a' }),
    },
  });
  expect(again).toMatchObject({ approvalId, questionId: '' });
  expect(again.messages[approvalId]).toContain('4096');
});

test('a client that stops asking is told where the run waits, and what was accepted stays accepted', async () => {
  const serving = serve();
  const input = asksTwice(desk);
  const { requestState, approvalId, questionId } = await askDesk(await connectTo(serving, eliciting), input);
  const outcome = await (
    await connectTo(serving)
  ).request('desk', { input }, { requestState, inputResponses: accept(approvalId, { decision: 'approve' }) });
  expect(outcome).toMatchObject({
    result: { structuredContent: { error: 'awaiting_input', requests: [{ id: questionId }] } },
  });
});

test('a run that takes longer than its caller waits goes on: by its state without a key, by its key with one', async () => {
  const { open, unlock } = newGate();
  const input = desk.play([{ hold: open, content: 'Done.' }]);
  const brief = await connectTo(serve({ runWaitMs: 1 }));
  const unkeyed = await brief.request('desk', { input });
  if (unkeyed.kind !== 'input' || unkeyed.requestState === undefined)
    throw new Error(JSON.stringify(unkeyed));
  expect(unkeyed.requests).toEqual({});
  const idempotencyKey = newKey();
  expect(await brief.request('desk', { input }, { idempotencyKey })).toMatchObject({
    result: { isError: true, structuredContent: { error: 'still_running' } },
  });
  const { requestState } = unkeyed;
  const still = await brief.request('desk', { input }, { requestState });
  expect(still).toMatchObject({ kind: 'input', requests: {} });
  unlock();
  const patient = await connectTo(serve());
  for (const options of [{ requestState }, { requestState }, { idempotencyKey }])
    expect(await patient.request('desk', { input }, options)).toMatchObject(done);
});

test.each([{}, { input: '' }, { input: 7 }, { input: 'x', context: {} }])(
  'the arguments %j start no run',
  async (args) => {
    let started = 0;
    const counting = instead(desk.client, {
      start: async (...start) => {
        started += 1;
        return desk.client.start(...start);
      },
    });
    const outcome = await (await through(counting)).request('desk', args);
    expect(outcome).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('expected `input`') as string }] },
    });
    expect(started).toBe(0);
  },
);

test('a call that fails while it waits leaves no run that nobody has', async () => {
  let runId = '';
  const failing = instead(desk.client, {
    waitForHalt: async (id) => {
      runId = id;
      throw new Error('The connection broke');
    },
  });
  const { open, unlock } = newGate();
  const input = desk.play([{ hold: open, content: 'Done.' }]);
  const told: unknown[] = [];
  const connection = await connectTo(serve({ client: failing, onError: (error) => told.push(error) }));
  expect(await connection.request('desk', { input })).toMatchObject({ result: { isError: true } });
  expect(await desk.client.result(runId)).toMatchObject({ status: 'cancelled' });
  expect(told).toMatchObject([{ message: 'The connection broke' }]);
  unlock();
});
