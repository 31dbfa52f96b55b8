import { defineAgent, defineTool, questionTool } from '../../src/tools';
import { createAnswerToken } from '../../src/tokens/answer-token';
import { desk as plainDesk, newId, openDesk } from '../client/desk';
import type { ScriptedTurn } from '../../src/testing';
import { matching } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { configOf, openHttpDesk, SIGNING, type HttpDesk, type HttpReply } from './desk';

const payer = defineAgent({
  // Its own name, so that its requests are listed without those of other tests.
  name: `payer-${newId()}`,
  model: 'scripted',
  tools: [
    questionTool(),
    defineTool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: { type: 'object', properties: { note: { type: 'string' } } },
      needsApproval: true,
      execute: ({ note }: { note?: string }) => `paid ${note}`,
    }),
  ],
});

let http: HttpDesk;
beforeAll(async () => {
  quietRuntime();
  http = await openHttpDesk({}, await openDesk([plainDesk(), payer]), {
    publicUrl: 'https://holdpoint.test/',
  });
});
afterAll(() => http?.close());

const pay = (note: string): ScriptedTurn => ({ toolCalls: [{ id: 'p', name: 'pay', arguments: { note } }] });

/** A halted run and the link that the list of requests gives to answer it. */
async function linked(turn = pay('rent'), { key, ask }: { key?: string; ask?: boolean } = {}) {
  const input = http.desk.play([turn, { content: 'Done.' }]);
  const path = ask ? `/v1/conversations/${newId()}/messages` : '/v1/runs';
  const body = { agent: payer.name, ...(ask ? { message: input } : { input }) };
  const used = key === undefined ? {} : { key };
  const started = await http.call(path, { body, ...used, headers: { prefer: 'wait=30' } });
  const runId = String(started.json['runId']);
  let link: string | undefined;
  await until('it is listed', async () => {
    const { json } = await http.call(`/v1/requests?links=true&agent=${payer.name}`, used);
    const rows = json['requests'] as { runId: string; link?: string }[];
    link = rows.find((row) => row.runId === runId)?.link;
    return link !== undefined;
  });
  const url = new URL(link ?? '');
  return { runId, link: url.pathname, origin: url.origin };
}

const open = (link: string): Promise<HttpReply> =>
  http.call(link, { key: null, headers: { accept: 'text/html' } });

const press = (
  link: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin', origin: 'null' },
): Promise<HttpReply> =>
  http.call(link, {
    method: 'POST',
    key: null,
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
  });

/** What a browser would send of a page's hidden fields. */
function hidden({ text }: HttpReply): Record<string, string> {
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)" ?\/?>/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}

test('a link begins with the public URL, and looking at it, by GET or HEAD, answers nothing', async () => {
  const { runId, link, origin } = await linked();
  expect(origin).toBe('https://holdpoint.test');
  for (let n = 0; n < 3; n += 1) {
    const page = await open(link);
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/<button[^>]* name="decision" value="approve">Approve/);
    expect(page.text).toContain('rent');
    expect(page.text).toContain('You answer as <bdi>key:tester</bdi>');
    await http.call(link, { method: 'HEAD', key: null });
  }
  await expect(http.desk.client.get(runId)).resolves.toMatchObject({ status: 'pending', receipts: [] });
});

test('the page may load and run nothing, tells no other site where it is, and is kept nowhere', async () => {
  const { headers } = await open((await linked()).link);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/default-src 'none'/);
  expect(policy).toMatch(/form-action 'self'; base-uri 'none'; frame-ancestors 'none'/);
  expect(policy).not.toMatch(/unsafe|script-src/);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('hostile text is text: nothing of it is markup, and nothing in it is hidden', async () => {
  const note = '</pre><script>alert(1)</script><img src=x onerror=alert(2)>"\'&\u202edecaf\u200b';
  const { text } = await open((await linked(pay(note))).link);
  expect(text).not.toMatch(/<script|<img|\u202e|\u200b/);
  expect(text).toContain('&lt;script&gt;');
  expect(text).toMatch(/\\u202edecaf\\u200b/);
});

test('the whole of what will run is on the page, however long', async () => {
  const note = `${'x'.repeat(20_000)} and then rm -rf`;
  const { text } = await open((await linked(pay(note))).link);
  expect(text).toContain(note);
});

test('pressing the button answers, in the name that the link carries; pressing again is the same answer', async () => {
  const { runId, link } = await linked();
  const fields = { ...hidden(await open(link)), decision: 'approve' };
  expect(fields).toMatchObject({ digest: matching(/^[0-9a-f]{64}$/) });
  await expect(press(link, fields)).resolves.toMatchObject({ status: 200, text: matching(/is recorded/) });
  await expect(http.desk.client.result(runId)).resolves.toMatchObject({
    status: 'done',
    receipts: [{ ok: true, by: 'key:tester', channel: 'link' }],
  });
  await expect(press(link, fields)).resolves.toMatchObject({ status: 200 });
  const late = await press(link, { decision: 'decline' });
  expect(late.status).toBe(409);
  expect(late.text).toMatch(/answered already.*Approved<\/strong> by <bdi>key:tester/s);
  const seen = await open(link);
  expect(seen).toMatchObject({ status: 200, text: matching(/answered already/) });
  expect(seen.text).not.toContain('<button');
});

test('declining takes a reason, which the run keeps', async () => {
  const { runId, link } = await linked();
  await press(link, { decision: 'decline', reason: 'not today' });
  const done = await http.desk.client.result(runId);
  expect(done).toMatchObject({ status: 'done', receipts: [{ ok: false }] });
  expect(done.toolCalls[0]?.output).toMatch(/reason: not today/);
});

test.each<[string, object, Record<string, string>, RegExp]>([
  ['a question in one’s own words', { question: 'When?' }, { output: 'soon' }, /soon/],
  ['a question with choices', { question: 'Which?', choices: ['red', 'blue'] }, { output: 'blue' }, /blue/],
  [
    'a question with a form',
    { question: 'Who?', form: { type: 'object', properties: { name: { type: 'string' } } } },
    { content: '{"name":"Ann"}' },
    /Ann/,
  ],
])('the page takes %s', async (_, args, fields, output) => {
  const turn = { toolCalls: [{ id: 'q', name: 'question', arguments: args }] } as ScriptedTurn;
  const { runId, link } = await linked(turn);
  const [name = ''] = Object.keys(fields);
  expect((await open(link)).text).toContain(`name="${name}"`);
  await expect(press(link, { decision: 'approve', ...fields })).resolves.toMatchObject({ status: 200 });
  const done = await http.desk.client.result(runId);
  expect(done.toolCalls[0]?.output).toMatch(output);
});

test('a program answers with JSON and gets the receipt; an ask of a conversation is answered alike', async () => {
  const { runId, link } = await linked(pay('rent'), { ask: true });
  expect(runId).toMatch(/\/1$/);
  const reply = await http.call(link, { body: { ok: false, reason: 'no' }, key: null });
  expect(reply).toMatchObject({ status: 200, json: { ok: false, by: 'key:tester', channel: 'link' } });
});

test('a form that another site’s page sends is refused', async () => {
  const { runId, link } = await linked();
  for (const headers of [
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
    { 'sec-fetch-site': 'same-site', origin: 'https://other.holdpoint.test' },
    { origin: 'https://evil.test' },
    { origin: 'null' },
  ])
    await expect(press(link, { decision: 'approve' }, headers)).resolves.toMatchObject({ status: 403 });
  await expect(http.desk.client.get(runId)).resolves.toMatchObject({ status: 'pending' });
  const own = { origin: 'https://holdpoint.test' };
  await expect(press(link, { decision: 'approve' }, own)).resolves.toMatchObject({ status: 200 });
});

test('a link survives the rotation of the signing key, and none outlives its key', async () => {
  const { link } = await linked();
  const { current } = http.config;
  const second = { id: 'second', secret: Buffer.alloc(32, 9).toString('base64') };
  const rotated = configOf({ signingKeys: [second, { ...SIGNING, verifyOnly: true }] });
  http.config.current = { ...current, signingKeys: rotated.signingKeys };
  await expect(open(link)).resolves.toMatchObject({ status: 200 });
  const { link: newer } = await linked();
  http.config.current = { ...current, signingKeys: configOf({ signingKeys: [second] }).signingKeys };
  await expect(open(link)).resolves.toMatchObject({ status: 404 });
  await expect(open(newer)).resolves.toMatchObject({ status: 200 });
  http.config.current = current;
});

test('404, the same for all: a garbled token, one of a stranger, another run’s, one of an erased run’s id', async () => {
  const { runId, link } = await linked();
  const token = link.split('/').at(-1) ?? '';
  const keys = http.config.current.signingKeys;
  const { firstExecutionId } = await http.desk.client.describe(runId);
  const grant = { runId, firstExecutionId, requestId: 'req_x' };
  const stranger = configOf({
    signingKeys: [{ ...SIGNING, secret: Buffer.alloc(32, 1).toString('base64') }],
  });
  const bad = [
    'x',
    `${token}x`,
    token.slice(1),
    await createAnswerToken(stranger.signingKeys, grant),
    await createAnswerToken(keys, { ...grant, runId: newId() }),
    await createAnswerToken(keys, { ...grant, tenant: 'acme' }),
    await createAnswerToken(keys, { ...grant, firstExecutionId: 'another' }),
  ];
  const replies = await Promise.all(
    bad.map((text) => http.call(`/v1/answers/${text}`, { body: { ok: true }, key: null })),
  );
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(replies[0]).toMatchObject({ status: 404, json: { code: 'Holdpoint.Token.Unknown' } });
  const none = await http.call(`/v1/answers/${await createAnswerToken(keys, grant)}`, {
    body: { ok: true },
    key: null,
  });
  expect(none.text).toBe(replies[0]?.text);

  await http.desk.client.erase({ runId });
  const input = http.desk.play([pay('again'), { content: 'Done.' }]);
  await http.desk.client.run(payer.name, input, { runId });
  await expect(open(link)).resolves.toMatchObject({ status: 404 });
});

test('410: a link whose time is over; 410 too once nobody can answer any more', async () => {
  const { runId, link } = await linked();
  const keys = http.config.current.signingKeys;
  const { firstExecutionId } = await http.desk.client.describe(runId);
  const { pending } = await http.desk.client.get(runId);
  const grant = { runId, firstExecutionId, requestId: pending?.id ?? '' };
  const over = await createAnswerToken(keys, grant, { expiresAt: Date.now() - 10_000 });
  const reply = await http.call(`/v1/answers/${over}`, { body: { ok: true }, key: null });
  expect(reply).toMatchObject({ status: 410, json: { code: 'Holdpoint.Token.Expired' } });
  await http.desk.client.cancel(runId);
  await http.desk.client.result(runId);
  await expect(http.call(link, { body: { ok: true }, key: null })).resolves.toMatchObject({ status: 410 });
});

test('a link may allow one decision only; the other is refused and noted', async () => {
  const { runId } = await linked();
  const { firstExecutionId } = await http.desk.client.describe(runId);
  const { pending } = await http.desk.client.get(runId);
  const token = await createAnswerToken(http.config.current.signingKeys, {
    runId,
    firstExecutionId,
    requestId: pending?.id ?? '',
    decisions: ['decline'],
  });
  expect((await open(`/v1/answers/${token}`)).text).not.toContain('value="approve"');
  const yes = await http.call(`/v1/answers/${token}`, { body: { ok: true }, key: null });
  expect(yes).toMatchObject({ status: 403, json: { code: 'Holdpoint.Http.Forbidden' } });
  await until('it is noted', async () => {
    const state = await http.desk.client.temporal.workflow.getHandle(runId).query<object>('state');
    return JSON.stringify(state).includes('Holdpoint.Http.Forbidden');
  });
  await expect(http.call(`/v1/answers/${token}`, { body: { ok: false }, key: null })).resolves.toMatchObject({
    status: 200,
  });
});

test('who may not answer gets no links, and `by` is not the sender’s to say', async () => {
  const reader = http.key({ scopes: ['requests:read'] });
  await expect(http.call('/v1/requests?links=true', { key: reader })).resolves.toMatchObject({ status: 403 });
  const { link } = await linked();
  await expect(http.call(link, { body: { ok: true, by: 'boss' }, key: null })).resolves.toMatchObject({
    status: 400,
  });
});

test('400: JSON that is nested too deep, in a body or in the field of a form that holds JSON', async () => {
  const { link } = await linked();
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`;
  const sent = [
    { body: `{"ok":true,"data":{"output":${deep}}}`, type: 'application/json' },
    {
      body: new URLSearchParams({ decision: 'approve', content: `{"a":${deep}}` }).toString(),
      type: 'application/x-www-form-urlencoded',
    },
    {
      body: new URLSearchParams({ decision: 'approve', content: `{"a":${deep}}` }).toString(),
      type: 'application/x-www-form-urlencoded; x=json',
    },
  ];
  for (const { body, type } of sent)
    await expect(
      http.call(link, { method: 'POST', body, key: null, headers: { 'content-type': type } }),
    ).resolves.toMatchObject({ status: 400, json: { detail: matching(/nested deeper than 200/) } });
});

test('links of two runs are counted apart, also where their requests have the same id', async () => {
  const { current } = http.config;
  const links = await Promise.all(
    [await linked(), await linked()].map(async ({ runId }) => {
      const { firstExecutionId } = await http.desk.client.describe(runId);
      const grant = { runId, firstExecutionId, requestId: 'chosen-by-a-tool' };
      return `/v1/answers/${await createAnswerToken(current.signingKeys, grant)}`;
    }),
  );
  http.config.current = { ...current, limits: { ...current.limits, requestsPerMinute: 1 } };
  const statuses = await Promise.all(
    [...links, ...links].map(async (link) => (await http.call(link, { key: null })).status),
  );
  expect(statuses.sort()).toEqual([410, 410, 429, 429]);
  http.config.current = current;
});

test('501, which nobody need try again: links are asked for and no key signs', async () => {
  const { current } = http.config;
  http.config.current = { ...current, signingKeys: [] };
  const reply = await http.call(`/v1/requests?links=true&agent=${payer.name}`);
  expect(reply).toMatchObject({
    status: 501,
    json: { code: 'Holdpoint.Token.NoKey', detail: matching(/`holdpoint keys signing`/) },
  });
  expect(reply.headers.get('retry-after')).toBeNull();
  http.config.current = current;
});
