import { randomUUID } from 'node:crypto';
import { isRecord, type JsonObject } from '../../src/agent/json';
import { eliciting, refunded, serveDesk, useRefundDesk } from './agent-desk';
import { connectTo } from './linked';
import type { McpConnection, RemoteCallOptions } from '../../src/mcp/client/connection';
import { createMcpServer, type McpServing } from '../../src/mcp/server/create-mcp-server';
import type { McpServerOptions } from '../../src/mcp/server/options';
import { approve } from '../../src/agent/decisions';
import { answerOutput } from '../../src/agent/relay';
import { newGate, type Desk } from '../client/desk';
import { until } from '../support/until';

const openedDesk = useRefundDesk();
let desk: Desk;
beforeAll(() => {
  desk = openedDesk();
});

const serve = (options: Partial<McpServerOptions> = {}): McpServing => serveDesk(desk, options);
const refunding = (): string =>
  desk.play([
    { toolCalls: [{ id: 'c', name: 'refund', arguments: { order: 7 } }] },
    { content: 'Refunded.' },
  ]);

async function asked(connection: McpConnection, input: string, options: RemoteCallOptions = {}) {
  const round = await connection.request('desk', { input }, options);
  if (round.kind !== 'input' || round.requestState === undefined) throw new Error(JSON.stringify(round));
  const [id = ''] = Object.keys(round.requests);
  return { ...round, id, requestState: round.requestState };
}
const decided = (id: string, content: JsonObject) => ({ [id]: { action: 'accept', content } });

test('an agent is listed as a tool and a call of it is a run', async () => {
  const connection = await connectTo(serve());
  expect(await connection.list()).toMatchObject([
    { name: 'desk', description: 'Helps with orders', inputSchema: { required: ['input'] } },
  ]);
  const outcome = await connection.request('desk', { input: desk.play([{ content: 'Hello.' }]) });
  expect(outcome).toMatchObject({ kind: 'result', result: { content: [{ type: 'text', text: 'Hello.' }] } });
});

test('a client that can ask its person completes the run by answering', async () => {
  const connection = await connectTo(serve(), eliciting);
  const input = refunding();
  const round = await asked(connection, input);
  expect(round.requests[round.id]).toMatchObject({
    method: 'elicitation',
    params: { requestedSchema: { properties: { decision: { enum: ['approve', 'decline'] } } } },
  });
  expect(JSON.stringify(round.requests)).toContain('7');
  expect(refunded).toHaveLength(0);
  const done = await connection.request(
    'desk',
    { input },
    { requestState: round.requestState, inputResponses: decided(round.id, { decision: 'approve' }) },
  );
  expect(done).toMatchObject({ kind: 'result', result: { content: [{ text: 'Refunded.' }] } });
  expect(refunded).toHaveLength(1);
});

test.each([
  ['says no', { action: 'accept', content: { decision: 'decline', reason: 'too much' } }],
  ['declines to say', { action: 'decline' }],
])('a person who %s keeps the tool from running', async (_what, response) => {
  const connection = await connectTo(serve(), eliciting);
  const input = refunding();
  const { id, requestState } = await asked(connection, input);
  const done = await connection.request(
    'desk',
    { input },
    { requestState, inputResponses: { [id]: response } },
  );
  expect(done).toMatchObject({ kind: 'result' });
  expect(refunded).toHaveLength(0);
});

test('a person who puts it off leaves the run waiting', async () => {
  const connection = await connectTo(serve(), eliciting);
  const input = refunding();
  const { id, requestState } = await asked(connection, input);
  const later = await connection.request(
    'desk',
    { input },
    { requestState, inputResponses: { [id]: { action: 'cancel' } } },
  );
  expect(later).toMatchObject({ result: { isError: true, structuredContent: { error: 'awaiting_input' } } });
});

test('a state is used once', async () => {
  const connection = await connectTo(serve(), eliciting);
  const input = refunding();
  const { id, requestState } = await asked(connection, input);
  const again = { requestState, inputResponses: decided(id, { decision: 'approve' }) };
  const both = await Promise.allSettled([
    connection.request('desk', { input }, again),
    connection.request('desk', { input }, again),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(connection.request('desk', { input }, again)).rejects.toMatchObject({ code: -32602 });
  expect(refunded).toHaveLength(1);
});

test('a state of a tool is none of a run, of another input, or forged', async () => {
  const connection = await connectTo(serve(), eliciting);
  const input = refunding();
  const { id, requestState } = await asked(connection, input);
  const inputResponses = decided(id, { decision: 'approve' });
  for (const options of [
    { requestState: `${requestState}x`, inputResponses },
    { requestState: 'forged', inputResponses },
  ])
    await expect(connection.request('desk', { input }, options)).rejects.toMatchObject({ code: -32602 });
  await expect(
    connection.request('desk', { input: `${input} more` }, { requestState, inputResponses }),
  ).rejects.toMatchObject({ code: -32602 });
  const elsewhere = await connectTo(serve(), eliciting);
  await expect(elsewhere.request('desk', { input }, { requestState, inputResponses })).rejects.toMatchObject({
    code: -32602,
  });
  expect(refunded).toHaveLength(0);
});

test('a client that cannot ask is told where the run waits, and a retry with its key finds it done', async () => {
  const connection = await connectTo(serve());
  const input = refunding();
  const idempotencyKey = `k-${randomUUID()}`;
  const waiting = await connection.request('desk', { input }, { idempotencyKey });
  if (waiting.kind !== 'result') throw new Error(waiting.kind);
  const told = waiting.result.structuredContent as {
    error: string;
    runId: string;
    requests: { id: string; kind: string }[];
  };
  expect(waiting.result.isError).toBe(true);
  expect(told).toMatchObject({ error: 'awaiting_input', requests: [{ kind: 'approval' }] });
  await desk.client.answer(told.runId, approve(told.requests[0]?.id ?? ''));
  const done = await connection.request('desk', { input }, { idempotencyKey });
  expect(done).toMatchObject({ kind: 'result', result: { content: [{ text: 'Refunded.' }] } });
  expect(refunded).toHaveLength(1);
});

test('a key with other input is refused, and so is nobody else’s key', async () => {
  const auth = async (headers: Headers) => ({ id: headers.get('authorization') ?? '' });
  const serving = serve({ auth });
  const as = (name: string) => connectTo(serving, { credentials: () => ({ authorization: name }) });
  const idempotencyKey = `k-${randomUUID()}`;
  const ana = await as('ana');
  await ana.request('desk', { input: desk.play([{ content: 'One.' }]) }, { idempotencyKey });
  const other = desk.play([{ content: 'Two.' }]);
  expect(await ana.request('desk', { input: other }, { idempotencyKey })).toMatchObject({
    result: { isError: true, structuredContent: { error: 'key_reused' } },
  });
  expect(await (await as('bob')).request('desk', { input: other }, { idempotencyKey })).toMatchObject({
    result: { content: [{ text: 'Two.' }] },
  });
});

test('without a key a disconnect cancels the run, with one it goes on', async () => {
  const started: string[] = [];
  const watching = {
    start: async (...args: Parameters<Desk['client']['start']>) => {
      const run = await desk.client.start(...args);
      started.push(run.runId);
      return run;
    },
  };
  const client = new Proxy(desk.client, {
    get: (target, name, self) =>
      name === 'start' ? watching.start : (Reflect.get(target, name, self) as unknown),
  });
  const connection = await connectTo(serve({ client }));
  const gates: ReturnType<typeof newGate>[] = [];
  for (const key of [undefined, `k-${randomUUID()}`]) {
    const gate = newGate();
    const held = desk.play([{ hold: gate.open, content: 'x' }]);
    const gone = new AbortController();
    const calling = connection
      .request(
        'desk',
        { input: held },
        { signal: gone.signal, ...(key !== undefined && { idempotencyKey: key }) },
      )
      .catch(() => undefined);
    await until('the model is asked', () =>
      desk.model.requests.some(({ body }) => JSON.stringify(body).includes(held)),
    );
    gone.abort();
    await calling;
    gates.push(gate);
  }
  const [unkeyed = '', keyed = ''] = started;
  expect(await desk.client.result(unkeyed)).toMatchObject({ status: 'cancelled' });
  expect((await desk.client.get(keyed)).status).toBe('running');
  for (const { unlock } of gates) unlock();
  expect(await desk.client.result(keyed)).toMatchObject({ status: 'done' });
});

/** A run that waits for a refund and for the answer to a question at once. */
const asksTwice = (): string =>
  desk.play([
    {
      toolCalls: [
        { id: 'c', name: 'refund', arguments: { order: 7 } },
        { id: 'q', name: 'question', arguments: { question: 'Which?', choices: ['a', 'b'] } },
      ],
    },
    { content: 'Done.' },
  ]);

async function askedTwice(input: string) {
  const serving = serve();
  const options = { idempotencyKey: randomUUID() };
  const told = await (await connectTo(serving)).request('desk', { input }, options);
  const waiting = told.kind === 'result' ? told.result.structuredContent : undefined;
  const runId = isRecord(waiting) && typeof waiting['runId'] === 'string' ? waiting['runId'] : '';
  const connection = await connectTo(serving, eliciting);
  const { requests, requestState } = await asked(connection, input, options);
  const idOf = (field: string): string =>
    Object.entries(requests).find(([, { params }]) => JSON.stringify(params).includes(field))?.[0] ?? '';
  return { connection, requestState, runId, approvalId: idOf('"decision"'), questionId: idOf('"answer"') };
}

test('where somebody else has answered one of two requests, the state still answers the other', async () => {
  const input = asksTwice();
  const { connection, runId, approvalId, questionId, requestState } = await askedTwice(input);
  await desk.client.answer(runId, answerOutput(questionId, 'a'));
  const done = await connection.request(
    'desk',
    { input },
    {
      requestState,
      inputResponses: {
        ...decided(approvalId, { decision: 'approve' }),
        ...decided(questionId, { answer: 'b' }),
      },
    },
  );
  expect(done).toMatchObject({ result: { content: [{ text: 'Done.' }] } });
  expect(refunded).toHaveLength(1);
  expect((await desk.client.result(runId)).toolCalls.map(({ output }) => output)).toEqual([
    'refunded 7',
    'a',
  ]);
});

test('what a person has said counts, also where they put something else off', async () => {
  const input = asksTwice();
  const { connection, runId, approvalId, questionId, requestState } = await askedTwice(input);
  const later = await connection.request(
    'desk',
    { input },
    {
      requestState,
      inputResponses: {
        ...decided(approvalId, { decision: 'approve' }),
        [questionId]: { action: 'cancel' },
      },
    },
  );
  expect(later).toMatchObject({
    result: { structuredContent: { error: 'awaiting_input', requests: [{ id: questionId }] } },
  });
  await desk.client.answer(runId, answerOutput(questionId, 'a'));
  await desk.client.result(runId);
  expect(refunded).toHaveLength(1);
});

test('characters that are not seen are told in what a person is asked to agree to', async () => {
  const connection = await connectTo(serve(), eliciting);
  const input = desk.play([
    { toolCalls: [{ id: 'q', name: 'question', arguments: { question: 'Pay \u202e001 now?' } }] },
    { content: 'Thanks.' },
  ]);
  const { requests, id } = await asked(connection, input);
  const message = requests[id]?.params['message'];
  expect(message).not.toContain('\u202e');
  expect(message).toMatch(/Pay .*202e.*001 now/i);
});

test('a question of the agent is a form at the client', async () => {
  const connection = await connectTo(serve(), eliciting);
  const input = desk.play([
    { toolCalls: [{ id: 'q', name: 'question', arguments: { question: 'Which?', choices: ['a', 'b'] } }] },
    { content: 'Thanks.' },
  ]);
  const round = await asked(connection, input);
  expect(round.requests[round.id]).toMatchObject({
    params: { requestedSchema: { properties: { answer: { type: 'string', enum: ['a', 'b'] } } } },
  });
  const done = await connection.request(
    'desk',
    { input },
    { requestState: round.requestState, inputResponses: decided(round.id, { answer: 'b' }) },
  );
  expect(done).toMatchObject({ result: { content: [{ text: 'Thanks.' }] } });
});

test('agents without a client are refused', () => {
  expect(() =>
    createMcpServer({ name: 'a', version: '1', agents: [{ agent: 'desk', description: 'Helps' }] }),
  ).toThrow(/no `client`/);
});
