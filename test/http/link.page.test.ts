import { createHttpApi } from '../../src/http/create-api';
import { relayAnswer } from '../../src/agent/relay';
import { defineAgent, defineTool, questionTool, relayTool } from '../../src/tools';
import { createAnswerToken, type AnswerGrant } from '../../src/tokens/answer-token';
import type { ScriptedTurn } from '../../src/testing';
import { newId, openDesk } from '../client/desk';
import { matching } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { openHttpDesk, type HttpDesk, type HttpReply } from './desk';

const input = { type: 'object', properties: { invoice: { type: 'string' }, cents: { type: 'integer' } } };
const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  inputSchema: input,
  needsApproval: true,
  approvers: ['key:ana', 'finance'],
  quorum: 2,
  expiresIn: '2 days',
  execute: () => 'Paid.',
});
const clerk = defineAgent({
  name: 'clerk',
  model: 'scripted',
  tools: [pay, questionTool(), relayTool({ name: 'stock', description: 'Units in stock' })],
});

let http: HttpDesk;
beforeAll(async () => {
  quietRuntime();
  http = await openHttpDesk({ inboxPath: '/inbox' }, await openDesk([clerk]));
});
afterAll(() => http?.close());

const PAY: ScriptedTurn = {
  content: 'It is due today.',
  toolCalls: [{ id: 'p', name: 'pay', arguments: { invoice: 'A-77', cents: 8990 } }],
};
const STOCK: ScriptedTurn = {
  toolCalls: ['a', 'b'].map((id) => ({ id, name: 'stock', arguments: { sku: id } })),
};

/** A halted run, and links of its first request. */
async function halted(turn = PAY) {
  const run = await http.desk.client.run('clerk', http.desk.play([turn, { content: 'Done.' }]), {
    runId: newId(),
  });
  const { runId } = run;
  const { firstExecutionId } = await http.desk.client.describe(runId);
  const requestId = run.pending?.id ?? '';
  const link = async (who: Partial<AnswerGrant> = {}): Promise<string> => {
    const grant = { runId, firstExecutionId, requestId, ...who };
    return `/v1/answers/${await createAnswerToken(http.config.current.signingKeys, grant)}`;
  };
  return { runId, requestId, link };
}

const open = (link: string): Promise<HttpReply> =>
  http.call(link, { key: null, headers: { accept: 'text/html' } });

const press = (link: string, fields: Readonly<Record<string, string>>): Promise<HttpReply> =>
  http.call(link, {
    method: 'POST',
    key: null,
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
    },
  });

/** What is read of a page. */
const words = ({ text }: HttpReply): string =>
  text
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');

test('the page reads as the inbox does: who asks, what for, with what, until when, and who may answer', async () => {
  const { runId, link } = await halted();
  const page = await open(await link({ by: 'key:ana' }));
  const read = words(page);
  expect(page.text).toContain(
    `<title>Approve pay? · invoice: A-77, cents: 8990 (= 89.90) · ${runId} · Holdpoint</title>`,
  );
  for (const piece of ['Agent clerk', `Run ${runId}`, 'Pays an invoice.', 'It is due today.', '= 89.90'])
    expect(read).toContain(piece);
  expect(read).toMatch(/expires in 1 d 23 h: on \d+ \w+ \d{4} at [\d:]+ UTC it counts as declined/);
  expect(read).toContain('May be answered by key:ana, finance.');
  expect(read).toContain('0 of 2 have approved. One decline decides.');
  // Its fields by name, and the exact arguments; none of the rest as JSON.
  expect(page.text).toMatch(/<dt><bdi>invoice<\/bdi><\/dt><dd><bdi>A-77/);
  expect(read).not.toContain('callId');
});

test('one vote of two is told as that, with what is still needed; the page then offers a decline alone', async () => {
  const { runId, link } = await halted();
  const anas = await link({ by: 'key:ana' });
  const digest = /name="digest" value="([0-9a-f]+)"/.exec((await open(anas)).text)?.[1] ?? '';
  const voted = await press(anas, { decision: 'approve', digest });
  expect(voted.status).toBe(200);
  expect(words(voted)).toContain('Your vote counts: 1 of 2');
  expect(words(voted)).toContain('1 more must approve, of: finance.');
  const again = await open(anas);
  expect(words(again)).toContain('You, key:ana, approved this on');
  expect(again.text).not.toContain('value="approve"');
  expect(again.text).toContain('value="decline"');
  const last = await press(await link({ by: 'fay', roles: ['finance'] }), { decision: 'approve', digest });
  expect(words(last)).toContain('Your answer is recorded');
  expect(words(last)).toMatch(/Approved by key:ana.*more must agree.*Approved by fay as finance/);
  await expect(http.desk.client.result(runId)).resolves.toMatchObject({ status: 'done' });
  // Whoever looks later reads who decided what.
  expect(words(await open(anas))).toMatch(
    /answered already.*Approved by key:ana.*Approved by fay as finance/,
  );
});

test.each<[string, Partial<AnswerGrant>, RegExp]>([
  ['names nobody', {}, /This link names nobody, and approvals are counted by person/],
  ['names somebody else', { by: 'ben' }, /By this link you are ben, who is none of those who may answer/],
])('a link that %s offers no button, says so and leads to the inbox', async (_, who, why) => {
  const { runId, requestId, link } = await halted();
  const page = await open(await link(who));
  expect(page.status).toBe(200);
  expect(page.text).not.toContain('<button');
  expect(words(page)).toMatch(why);
  expect(page.text).toContain(`href="/inbox/requests/${runId}/${requestId}"`);
  // Without an inbox there is nowhere to lead to.
  const alone = await http.call(await link(who), {
    key: null,
    api: createHttpApi({ client: http.desk.client, config: http.config }),
  });
  expect(alone.text).not.toContain('/inbox');
  expect(words(alone)).toContain('ask whoever sent it for a link in your own name');
});

test('results are asked for the calls that are still open, each field by its call, and none is a correction', async () => {
  const { runId, link } = await halted(STOCK);
  const url = await link();
  const nothing = await press(url, { decision: 'approve', 'call-0': 'a', 'output-0': '' });
  expect(nothing.status).toBe(400);
  expect(words(nothing)).toContain('Write the result of a call.');
  expect(nothing.text).toContain('name="output-1"');
  await press(url, { decision: 'approve', 'call-0': 'a', 'output-0': '12' });
  const rest = await open(url);
  expect(rest.text).toContain('name="call-0" value="b"');
  expect(rest.text).not.toContain('name="output-1"');
  const done = await press(url, { decision: 'approve', 'call-0': 'b', 'output-0': 'none\r\nleft' });
  expect(done).toMatchObject({ status: 200, text: matching(/is recorded/) });
  const { toolCalls } = await http.desk.client.result(runId);
  expect(toolCalls.map(({ output }) => output)).toEqual(['12', 'none\nleft']);
});

test('an answer that does not fit comes back with what is wrong and what was typed', async () => {
  const form = { type: 'object', properties: { days: { type: 'integer' } } };
  const { runId, link } = await halted({
    toolCalls: [{ id: 'q', name: 'question', arguments: { question: 'How long?', form } }],
  });
  const url = await link();
  for (const [content, status, why] of [
    ['{"days": "three"}', 422, /days/],
    ['three', 400, /one JSON object/],
    [`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, 400, /nested deeper than 200 levels/],
  ] as const) {
    const again = await press(url, { decision: 'approve', content });
    expect(again.status).toBe(status);
    expect(words(again)).toMatch(why);
    expect(again.text).toMatch(/<p class="problem" role="alert">/);
    expect(again.text).toContain(`>${content.replaceAll('"', '&quot;')}</textarea>`);
  }
  await expect(http.desk.client.get(runId)).resolves.toMatchObject({ status: 'pending' });
});

test('what was typed for a call comes back to that call when another one was settled meanwhile', async () => {
  const { runId, requestId, link } = await halted(STOCK);
  const url = await link();
  await http.desk.client.answer(runId, relayAnswer(requestId, [{ id: 'a', output: '12' }]));
  const typed = { 'call-0': 'a', 'output-0': 'of a', 'call-1': 'b', 'output-1': '\r\n of b' };
  const again = await press(url, { decision: 'approve', ...typed });
  expect(again.status).toBe(409);
  expect(again.text).toContain('name="call-0" value="b"');
  expect(again.text).not.toContain('of a');
  // A browser leaves out the first line break of a field.
  expect(again.text).toContain('>\n\r\n of b</textarea>');
  await press(url, { decision: 'approve', 'call-0': 'b', 'output-0': '\r\n of b' });
  const { toolCalls } = await http.desk.client.result(runId);
  expect(toolCalls.map(({ output }) => output)).toEqual(['12', '\n of b']);
});

test('a choice counts that a browser cannot send as it is', async () => {
  const choices = ['yes', 'no,\rnever'];
  const { runId, link } = await halted({
    toolCalls: [{ id: 'q', name: 'question', arguments: { question: 'Now?', choices } }],
  });
  await press(await link(), { decision: 'approve', output: 'no,\r\nnever' });
  await expect(http.desk.client.result(runId)).resolves.toMatchObject({
    toolCalls: [{ output: choices[1] }],
  });
});
