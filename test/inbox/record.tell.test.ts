import { inputDigest } from '../../src/agent/approval';
import { HoldpointError } from '../../src/agent/errors';
import { without } from '../../src/agent/without';
import type { Receipt } from '../../src/agent/receipt';
import type { RunView } from '../../src/client';
import type { InboxClient } from '../../src/inbox/options';
import { inboxApp } from './inbox-server';
import { runView } from './run-view';
import { signedIn, send } from './visitor';

const AT = '2026-03-01T12:00:00.000Z';
const HOSTILE = '<img src=x onerror=alert(1)>\u202e';
const REQUEST = {
  id: 'req',
  kind: 'approval',
  prompt: 'approve it',
  data: { tool: 'refund', input: { order: '1047' }, digest: 'd', risk: 'high' },
};
const VIEW = {
  ...runView(REQUEST),
  agent: 'refund-desk',
  rejections: [
    {
      requestId: 'req',
      by: `mallory ${HOSTILE}`,
      channel: 'api',
      at: AT,
      error: { type: 'Holdpoint.Answer.NotApprover', message: `None of those who may. ${HOSTILE}` },
    },
    { requestId: 'other', by: 'oskar', at: AT, error: { type: 'Holdpoint.Answer.Invalid', message: 'No.' } },
  ],
  grants: [{ tool: 'refund', requestId: 'earlier', by: 'ana', at: AT, path: ['clerk'] }],
} satisfies RunView;

const GIVEN: Receipt = {
  requestId: 'req',
  accepted: true,
  ok: true,
  resolved: true,
  settled: ['c'],
  open: [],
  at: AT,
  by: 'ben',
  via: 'update',
  digest: 'd',
  supplied: true,
};

/** An inbox over one run; `answer` fails as it is told. */
function stand(views: readonly RunView[] = [VIEW], failure?: HoldpointError) {
  const told: unknown[] = [];
  const left = [...views];
  const client: InboxClient = {
    requests: () => Promise.resolve([]),
    get: () => Promise.resolve((left.length > 1 ? left.shift() : left[0]) ?? VIEW),
    answer: () => Promise.reject(failure ?? new Error('Nothing is answered here')),
    events: () => (async function* () {})(),
    noteRefusal: () => Promise.resolve(),
    revokeApproval: (runId, tool, { by, path } = {}) => {
      told.push({ runId, tool, by, path });
      return Promise.resolve(true);
    },
  };
  return { ...inboxApp({ client: { forTenant: () => client } }), told };
}

/** A page as it is read. */
async function read(inbox: ReturnType<typeof stand>, path: string, name = 'ana') {
  const { cookie } = await signedIn(inbox, name);
  const response = await inbox.app.request(`http://inbox.test/inbox${path}`, { headers: { cookie } });
  return wordsOf(response);
}

async function wordsOf(response: Response) {
  const html = await response.text();
  const words = html
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  return { html, words, status: response.status };
}

test('refused attempts stand on the run\u2019s page and on their request\u2019s, and hostile text in them is text', async () => {
  const run = await read(stand(), '/runs/r1');
  const request = await read(stand(), '/requests/r1/req');
  for (const { html, words } of [run, request]) {
    expect(words).toContain('Refused attempts');
    expect(words).toContain(
      'Refused: mallory <img src=x onerror=alert(1)>\\u{202e} on 1 March 2026 at 12:00 UTC (api)',
    );
    expect(words).toContain('None of those who may.');
    expect(html).not.toMatch(/<img|\u202e/);
  }
  expect(run.words).toContain('Refused: oskar');
  expect(request.words).not.toContain('oskar');
});

test('a request names its agent and its run, in the tab\u2019s title what tells it apart, and whatever else it holds', async () => {
  const { html, words } = await read(stand(), '/requests/r1/req');
  expect(words).toContain('Agent refund-desk');
  expect(html).toContain('<title>Approve refund? · order: 1047 · r1 · Holdpoint</title>');
  expect(words).toMatch(/What belongs to it\s*risk\s*high/);
});

test('a result that a person gave is told as theirs, not as an approval', async () => {
  const done: RunView = {
    ...without(without(VIEW, 'pending'), 'requests'),
    status: 'done',
    receipts: [GIVEN],
  };
  const { words } = await read(stand([done]), '/requests/r1/req');
  expect(words).toContain('Result given by ben');
  expect(words).toContain('The whole run r1 of the agent refund-desk');
  expect(words).not.toContain('Approved');
  const run = await read(stand([{ ...done, toolCalls: [CALL] }]), '/runs/r1');
  expect(run.words).toContain('Result given for refund by ben on');
});

test('a decision is told of the call that it was about, though the model used its id again', async () => {
  const paid = { invoice: 'A-77' };
  const calls = [
    { ...CALL, name: 'look', args: {} },
    { ...CALL, name: 'pay', args: paid },
  ];
  const receipt = { ...without(GIVEN, 'supplied'), digest: inputDigest(paid) };
  const { words } = await read(stand([{ ...VIEW, toolCalls: calls, receipts: [receipt] }]), '/runs/r1');
  expect(words).toContain('Approved pay by ben');
});

test('a vote that an edit made void is told as that', async () => {
  const vote = {
    ...without(GIVEN, 'supplied'),
    resolved: false,
    settled: [],
    open: ['c'],
    voided: true as const,
  };
  const { words } = await read(stand([{ ...VIEW, receipts: [vote] }]), '/requests/r1/req');
  expect(words).toContain(
    'Approved by ben on 1 March 2026 at 12:00 UTC; void since, for the arguments were changed.',
  );
});

test('what passes without being asked is listed with a way to take it back, for those who may decide', async () => {
  const inbox = stand();
  const { words, html } = await read(inbox, '/runs/r1');
  expect(words).toContain('All calls of refund by the sub-agent clerk, approved by ana, since 1 March 2026');
  expect(html).toContain('action="/inbox/runs/r1/revoke"');
  expect((await read(stand(), '/runs/r1', 'rita')).html).not.toContain('/revoke');
  const { cookie, token } = await signedIn(inbox, 'ana');
  const fields = { token, tool: 'refund', path: '["clerk"]', by: 'somebody' };
  const response = await send(inbox.app, '/runs/r1/revoke', fields, { cookie });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/inbox/runs/r1?did=taken-back']);
  expect(inbox.told).toEqual([{ runId: 'r1', tool: 'refund', by: 'key:ana', path: ['clerk'] }]);
});

test.each([
  ['by somebody who may only read', 'rita', { tool: 'refund', path: '[]' }, 403],
  ['without a token of the session', 'ana', { token: 'x', tool: 'refund', path: '[]' }, 403],
  ['of no tool', 'ana', { path: '[]' }, 415],
  ['with a path that is none', 'ana', { tool: 'refund', path: '[1]' }, 415],
])('a revocation %s takes nothing back', async (_, name, fields, status) => {
  const inbox = stand();
  const { cookie, token } = await signedIn(inbox, name);
  const response = await send(inbox.app, '/runs/r1/revoke', { token, ...fields }, { cookie });
  expect(response.status).toBe(status);
  expect(inbox.told).toEqual([]);
});

test('a form that was sent before with something else is told as that, beside what was recorded', async () => {
  const reused = new HoldpointError('Holdpoint.Answer.AnswerIdReused', 'It was accepted with other content.');
  const done: RunView = {
    ...without(without(VIEW, 'pending'), 'requests'),
    status: 'done',
    receipts: [GIVEN],
  };
  for (const [views, words] of [
    [[VIEW, done], /was sent before with something else.*This is what was recorded:.*Result given by ben/],
    [[VIEW], /was sent before with something else.*look at what was recorded, and decide anew/],
  ] as const) {
    const inbox = stand(views, reused);
    const { cookie, token } = await signedIn(inbox, 'ana');
    const response = await send(inbox.app, '/requests/r1/req', { token, action: 'approve' }, { cookie });
    const page = await wordsOf(response);
    expect(page.status).toBe(409);
    expect(page.words).toMatch(words);
    expect(page.words).not.toContain('Somebody answered first');
  }
});

const CALL = { id: 'c', name: 'refund', args: {}, output: 'Paid by hand.', isError: false };
