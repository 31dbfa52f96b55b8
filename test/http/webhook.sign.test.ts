import { Webhook } from 'standardwebhooks';
import { answerOutput } from '../../src/agent/relay';
import { createAnswerToken } from '../../src/tokens/answer-token';
import { newId } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { configOf, halt, openHttpDesk, type HttpDesk, type HttpReply } from './desk';

const SECRETS = ['a', 'b', 'c'].map((char) => `whsec_${Buffer.alloc(24, char).toString('base64')}`);
const [OLD = '', NEW = '', RIVAL = ''] = SECRETS;

let http: HttpDesk;
beforeAll(async () => {
  quietRuntime();
  http = await openHttpDesk();
  const incoming = [
    { id: 'erp', by: 'erp', roles: ['machine'], secrets: [OLD, NEW] },
    { id: 'rival', by: 'rival-erp', secrets: [RIVAL], tenant: 'rival' },
  ];
  const { webhooks } = configOf({ webhooks: { incoming } });
  http.config.current = { ...http.config.current, webhooks };
});
afterAll(() => http?.close());

interface Sending {
  readonly secret?: string;
  readonly id?: string;
  readonly at?: Date;
  readonly path?: string;
  readonly tamper?: string;
}

function send(body: object, options: Sending = {}): Promise<HttpReply> {
  const { secret = NEW, id = newId(), at = new Date(), path = '/v1/answers', tamper } = options;
  const text = JSON.stringify(body);
  return http.call(path, {
    method: 'POST',
    body: tamper ?? text,
    key: null,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, text),
    },
  });
}

test('a machine that signs with either of its secrets answers in its own name', async () => {
  for (const secret of [OLD, NEW]) {
    const { runId, requestId } = await halt(http);
    const reply = await send({ runId, ...answerOutput(requestId, '1') }, { secret });
    expect(reply).toMatchObject({ status: 200, json: { by: 'webhook:erp', channel: 'webhook' } });
  }
});

test('the same webhook-id again is a replay and gets the first receipt, also after the run has ended', async () => {
  const { runId, requestId } = await halt(http);
  const id = newId();
  const body = { runId, ...answerOutput(requestId, '1') };
  const first = await send(body, { id });
  await http.desk.client.result(runId);
  const again = await send(body, { id });
  expect(again).toMatchObject({ status: 200, json: first.json });
  const other = await send({ runId, ...answerOutput(requestId, '2') }, { id });
  expect(other).toMatchObject({ status: 422, json: { code: 'Holdpoint.Answer.AnswerIdReused' } });
  const late = await send({ runId, ...answerOutput(requestId, '2') });
  expect(late.status).toBe(409);
});

test('what is not signed, signed by a stranger, changed on its way or too old is 401', async () => {
  const { runId, requestId } = await halt(http);
  const body = { runId, ...answerOutput(requestId, '1') };
  const stranger = `whsec_${Buffer.alloc(24, 'z').toString('base64')}`;
  const old = new Date(Date.now() - 10 * 60 * 1000);
  const replies = [
    await http.call('/v1/answers', { body, key: null }),
    await send(body, { secret: stranger }),
    await send(body, { at: old }),
    await send(body, { at: new Date(Date.now() + 10 * 60 * 1000) }),
    await send(body, { id: '' }),
    await send(body, { tamper: JSON.stringify({ ...body, runId: 'another' }) }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
  await expect(http.desk.client.get(runId)).resolves.toMatchObject({ status: 'pending' });
});

test('429: who signs wrongly too often is refused before a signature is looked at, at a link as at the route', async () => {
  const { runId, requestId } = await halt(http);
  const { firstExecutionId } = await http.desk.client.describe(runId);
  const { current } = http.config;
  const grant = { runId, firstExecutionId, requestId };
  const path = `/v1/answers/${await createAnswerToken(current.signingKeys, grant)}`;
  const body = { runId, ...answerOutput(requestId, '1') };
  const stranger = `whsec_${Buffer.alloc(24, 'z').toString('base64')}`;
  http.config.current = { ...current, limits: { ...current.limits, refusedPerMinute: 2 } };
  try {
    const statuses = [];
    for (const at of [path, '/v1/answers', path, '/v1/answers'])
      statuses.push((await send(body, { secret: stranger, path: at })).status);
    expect(statuses).toEqual([401, 401, 429, 429]);
    const right = await send(body);
    expect(right).toMatchObject({ status: 429, json: { code: 'Holdpoint.Http.RateLimited' } });
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    http.config.current = current;
  }
});

test('one of several signatures is enough, as while a secret is replaced; one of another kind is none', async () => {
  const { runId, requestId } = await halt(http);
  const text = JSON.stringify({ runId, ...answerOutput(requestId, '1') });
  const at = new Date();
  const id = newId();
  const good = new Webhook(NEW).sign(id, at, text);
  const post = (signature: string) =>
    http.call('/v1/answers', {
      method: 'POST',
      body: text,
      key: null,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signature,
      },
    });
  for (const bad of [good.replace('v1,', 'v1a,'), good.slice(0, -8), 'v1,', good.replace('v1,', '')])
    await expect(post(bad)).resolves.toMatchObject({ status: 401 });
  const several = [new Webhook(RIVAL + 'AAAA').sign(id, at, text), good].join(' ');
  await expect(post(several)).resolves.toMatchObject({ status: 200 });
});

test('a machine of another tenant does not reach the run', async () => {
  const { runId, requestId } = await halt(http);
  const body = { runId, ...answerOutput(requestId, '1') };
  await expect(send(body, { secret: RIVAL })).resolves.toMatchObject({ status: 404 });
});

test('what is signed names a run or a conversation, and neither who answers nor an answer id', async () => {
  const { requestId } = await halt(http);
  for (const more of [
    {},
    { runId: 'a', conversationId: 'b' },
    { runId: 'a', by: 'x' },
    { runId: 'a', answerId: 'x' },
  ])
    await expect(send({ ...answerOutput(requestId, '1'), ...more })).resolves.toMatchObject({ status: 400 });
});

test('posted to a link, a signature says who answers; without a valid one the link is not used in its place', async () => {
  const { runId, requestId } = await halt(http);
  const { firstExecutionId } = await http.desk.client.describe(runId);
  const grant = { runId, firstExecutionId, requestId };
  const path = `/v1/answers/${await createAnswerToken(http.config.current.signingKeys, grant)}`;
  const said = { runId, ...answerOutput(requestId, '1') };
  const unnamed = { ok: true, data: { output: '1' } };
  const stranger = `whsec_${Buffer.alloc(24, 'z').toString('base64')}`;
  await expect(send(said, { path, secret: stranger })).resolves.toMatchObject({ status: 401 });
  await expect(send(said, { path, secret: RIVAL })).resolves.toMatchObject({ status: 404 });
  for (const body of [
    unnamed,
    { ...unnamed, runId },
    { ...said, id: 'another' },
    { ...said, runId: 'another' },
  ])
    await expect(send(body, { path })).resolves.toMatchObject({ status: 400 });
  const id = newId();
  const first = await send(said, { path, id });
  expect(first).toMatchObject({ status: 200, json: { by: 'webhook:erp', channel: 'webhook' } });
  await expect(send(said, { path, id })).resolves.toMatchObject({ status: 200, json: first.json });
});
