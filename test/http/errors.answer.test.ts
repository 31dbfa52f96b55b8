import { answerDeclined, answerOutput, relayAnswer } from '../../src/agent/relay';
import { defineAgent, defineTool, relayTool } from '../../src/tools';
import { desk as plainDesk, newId, openDesk } from '../client/desk';
import { matching } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { halt, openHttpDesk, type CallOptions, type HttpDesk } from './desk';

const hasty = defineAgent({
  name: 'hasty',
  model: 'scripted',
  tools: [relayTool({ name: 'stock', description: 'Units in stock', expiresIn: 300 })],
});
const careful = defineAgent({
  name: 'careful',
  model: 'scripted',
  tools: [
    defineTool({
      name: 'pay',
      description: 'Pays.',
      needsApproval: true,
      approvers: ['boss'],
      execute: () => 'paid',
    }),
  ],
});

let http: HttpDesk;
beforeAll(async () => {
  quietRuntime();
  http = await openHttpDesk({}, await openDesk([plainDesk(), hasty, careful]));
});
afterAll(() => http?.close());

/** The call is refused with a problem document of this status and type. */
async function expectProblem(path: string, options: CallOptions, status: number, code: string) {
  const reply = await http.call(path, options);
  expect(reply).toMatchObject({
    status,
    json: { status, code, type: `urn:holdpoint:error:${code}`, title: matching(/./), detail: matching(/./) },
  });
  expect(reply.headers.get('content-type')).toBe('application/problem+json');
  return reply;
}

const post = (body: unknown = {}): CallOptions => ({ body });

test.each<[string, string, CallOptions, RegExp]>([
  ['a body that is not JSON', '/v1/runs', post('{'), /not what its content type says/],
  ['a body that is no object', '/v1/runs', post([]), /body: /],
  ['a field that is missing', '/v1/runs', post({ agent: 'desk' }), /body input: /],
  ['a field that is unknown', '/v1/runs', post({ agent: 'a', input: 'x', inputs: 1 }), /inputs/],
  ['a limit that is none', '/v1/runs', post({ agent: 'a', input: 'x', limits: { maxTurns: 0 } }), /maxTurns/],
  ['`by` in an answer', '/v1/runs/x/answers', post({ id: 'r', ok: true, by: 'boss' }), /by/],
  ['`roles` in an answer', '/v1/runs/x/answers', post({ id: 'r', ok: true, roles: ['boss'] }), /roles/],
  ['`channel` in an answer', '/v1/runs/x/answers', post({ id: 'r', ok: true, channel: 'inbox' }), /channel/],
  [
    'an answer id that is made here',
    '/v1/runs/x/answers',
    post({ id: 'r', ok: true, answerId: 'answer_1' }),
    /answer_/,
  ],
  ['`ok` as a text', '/v1/runs/x/answers', post({ id: 'r', ok: 'false' }), /body ok: /],
  ['a status that is none', '/v1/runs?status=open', {}, /query status: /],
  ['a misspelt parameter', '/v1/runs?agents=a', {}, /"agents".*status, agent, tenant, waitingFor/],
  ['a parameter where there are none', '/v1/runs/x/cancel?force=1', { method: 'POST' }, /This takes none/],
  ['a parameter twice', '/v1/runs?agent=a&agent=b', {}, /query agent: /],
  ['an event id that is none', '/v1/runs/x/events', { headers: { 'last-event-id': '-1' } }, /last-event-id/],
  ['JSON nested too deep', '/v1/runs', post(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), /nested/],
])('400: %s, named without its value', async (_, path, options, detail) => {
  const { json } = await expectProblem(path, options, 400, 'Holdpoint.Http.Malformed');
  expect(json['detail']).toMatch(detail);
  expect(JSON.stringify(json)).not.toContain('boss');
});

test('400: a cursor of another list, and run id beside idempotency key', async () => {
  await expectProblem('/v1/runs?cursor=e30', {}, 400, 'Holdpoint.Client.InvalidOptions');
  const both = { ...post({ agent: 'desk', input: 'x', runId: 'a' }), headers: { 'idempotency-key': 'k' } };
  await expectProblem('/v1/runs', both, 400, 'Holdpoint.Http.Malformed');
  const slash = post({ agent: 'desk', input: 'x', runId: 'a/b' });
  await expectProblem('/v1/runs', slash, 400, 'Holdpoint.Client.InvalidOptions');
});

test('403: a person whom the request does not ask; it stays open and the attempt is on record', async () => {
  const text = http.desk.play([
    { toolCalls: [{ id: 'p', name: 'pay', arguments: {} }] },
    { content: 'Paid.' },
  ]);
  const started = await http.call('/v1/runs', {
    body: { agent: 'careful', input: text },
    headers: { prefer: 'wait=30' },
  });
  const runId = String(started.json['runId']);
  const pending = started.json['pending'] as { id: string };
  const answers = `/v1/runs/${runId}/answers`;
  const yes = { id: pending.id, ok: true };
  await expectProblem(answers, post(yes), 403, 'Holdpoint.Answer.NotApprover');
  await until('the attempt is on record', async () => {
    const state = await http.desk.client.temporal.workflow.getHandle(runId).query<object>('state');
    return JSON.stringify(state).includes('"by":"key:tester"');
  });
  const boss = http.key({ name: 'carla', roles: ['boss'] });
  const receipt = await http.call(answers, { ...post(yes), key: boss });
  expect(receipt).toMatchObject({ status: 200, json: { by: 'key:carla', as: 'boss', channel: 'api' } });
});

test('404: a run, a conversation, a request and a route that are not there', async () => {
  const { runId } = await halt(http);
  await expectProblem(`/v1/runs/${newId()}`, {}, 404, 'Holdpoint.Run.NotFound');
  await expectProblem(`/v1/runs/${newId()}/events`, {}, 404, 'Holdpoint.Run.NotFound');
  await expectProblem(`/v1/runs/${newId()}%2F1`, {}, 404, 'Holdpoint.Run.NotFound');
  const abandon = `/v1/conversations/${newId()}/abandon`;
  await expectProblem(abandon, post({}), 404, 'Holdpoint.Conversation.NotFound');
  const unknown = post(answerDeclined('req_nobody'));
  await expectProblem(`/v1/runs/${runId}/answers`, unknown, 404, 'Holdpoint.Answer.UnknownRequest');
  await expectProblem('/v1/nothing', {}, 404, 'Holdpoint.Http.UnknownRoute');
});

test('405: another method, and the ones that there are', async () => {
  const reply = await expectProblem('/v1/runs', { method: 'DELETE' }, 405, 'Holdpoint.Http.WrongMethod');
  expect(reply.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'POST']);
});

test('409: a request that is answered, with the receipt of the answer that was first', async () => {
  const { runId, requestId } = await halt(http);
  const path = `/v1/runs/${runId}/answers`;
  const first = await http.call(path, post(answerOutput(requestId, '1')));
  const again = await http.call(path, post(answerOutput(requestId, '1')));
  expect(again).toMatchObject({ status: 200, json: first.json });
  const { json } = await expectProblem(
    path,
    post(answerOutput(requestId, '2')),
    409,
    'Holdpoint.Answer.AlreadyAnswered',
  );
  expect(json['receipt']).toEqual(first.json);
  expect(json['detail']).toMatch(/key:tester/);
});

test('409: a conversation that waits for an answer', async () => {
  const conversation = `/v1/conversations/${newId()}/messages`;
  const body = {
    agent: 'desk',
    message: http.desk.play([{ toolCalls: [stock('a')] }, { content: 'Done.' }]),
  };
  await http.call(conversation, { body, headers: { prefer: 'wait=30' } });
  await expectProblem(
    conversation,
    post({ agent: 'desk', message: 'x' }),
    409,
    'Holdpoint.Conversation.Pending',
  );
});

test('410: a run that has ended, a request that has expired, a conversation that is closed', async () => {
  const { runId, requestId } = await halt(http);
  await http.call(`/v1/runs/${runId}/answers`, post(answerOutput(requestId, '1')));
  await http.desk.client.result(runId);
  const late = post(answerDeclined('req_other'));
  await expectProblem(`/v1/runs/${runId}/answers`, late, 410, 'Holdpoint.Answer.RunClosed');
  await expectProblem(`/v1/runs/${runId}/messages`, post({ message: 'x' }), 410, 'Holdpoint.Run.Closed');
  await expectProblem(`/v1/runs/${runId}/cancel`, { method: 'POST' }, 410, 'Holdpoint.Run.Closed');

  const expiring = await http.call('/v1/runs', {
    body: {
      agent: 'hasty',
      input: http.desk.play([{ toolCalls: [stock('a')] }, { toolCalls: [stock('b')] }]),
    },
    headers: { prefer: 'wait=30' },
  });
  const hastyId = String(expiring.json['runId']);
  const { id } = expiring.json['pending'] as { id: string };
  await until('it has expired', async () => {
    const run = await http.desk.client.get(hastyId);
    return !run.requests?.some((request) => request.id === id);
  });
  const code = 'Holdpoint.Answer.Expired';
  const reply = await http.call(`/v1/runs/${hastyId}/answers`, post(answerOutput(id, '1')));
  expect(reply).toMatchObject({ status: 410 });
  expect([code, 'Holdpoint.Answer.RunClosed']).toContain(reply.json['code']);

  const conversationId = newId();
  const asked = post({ agent: 'desk', message: http.desk.play([{ content: 'Hi.' }]) });
  await http.call(`/v1/conversations/${conversationId}/messages`, {
    ...asked,
    headers: { prefer: 'wait=30' },
  });
  await http.desk.client.close(conversationId);
  await expectProblem(
    `/v1/conversations/${conversationId}/messages`,
    asked,
    410,
    'Holdpoint.Conversation.Closed',
  );
});

test('413 and 415: a body that is too large, and one that is not JSON', async () => {
  const { current } = http.config;
  http.config.current = { ...current, limits: { ...current.limits, bodyBytes: 1000 } };
  const large = post({ agent: 'desk', input: 'x'.repeat(1000) });
  const { json } = await expectProblem('/v1/runs', large, 413, 'Holdpoint.Http.TooLarge');
  expect(json['data']).toEqual({ maxBytes: 1000 });
  http.config.current = current;
  const form = { method: 'POST', body: 'agent=desk', headers: { 'content-type': 'text/plain' } };
  await expectProblem('/v1/runs', form, 415, 'Holdpoint.Http.UnsupportedMediaType');
});

test('422: what a run refuses, with what and where', async () => {
  const { runId, requestId } = await halt(http, { ids: ['a', 'b'] });
  const path = `/v1/runs/${runId}/answers`;
  const unknown = post(relayAnswer(requestId, [{ id: 'z', output: '1' }]));
  const { json } = await expectProblem(path, unknown, 422, 'Holdpoint.Answer.UnknownCall');
  expect(json).toMatchObject({ data: { callId: 'z' }, detail: matching(/"z"/) });
  await http.call(path, post({ ...relayAnswer(requestId, [{ id: 'a', output: '1' }]), answerId: 'one' }));
  const reused = post({ ...relayAnswer(requestId, [{ id: 'a', output: '2' }]), answerId: 'one' });
  await expectProblem(path, reused, 422, 'Holdpoint.Answer.AnswerIdReused');
  await expectProblem(path, post({ id: requestId, ok: true }), 400, 'Holdpoint.Answer.Malformed');
  const other = post({ agent: 'desk', input: 'other', runId });
  await expectProblem('/v1/runs', other, 422, 'Holdpoint.Run.AlreadyExists');
});

test('422: an idempotency key with another body; the same body is the same run', async () => {
  const headers = { 'idempotency-key': newId() };
  const body = { agent: 'desk', input: http.desk.play([{ content: 'Done.' }]) };
  const first = await http.call('/v1/runs', { body, headers });
  const again = await http.call('/v1/runs', { body, headers });
  expect(first.status).toBe(202);
  expect(again.json).toEqual(first.json);
  const other = { body: { ...body, input: 'other' }, headers };
  await expectProblem('/v1/runs', other, 422, 'Holdpoint.Http.IdempotencyKeyReused');
  const stranger = await http.call('/v1/runs', { body, headers, key: http.key() });
  expect(stranger.json['runId']).not.toBe(first.json['runId']);
});

function stock(id: string) {
  return { id, name: 'stock', arguments: { sku: id } };
}
