import type { InboxClient } from '../../src/inbox/options';
import { HoldpointError } from '../../src/agent/errors';
import { without } from '../../src/agent/without';
import { newSealer } from '../../src/inbox/sealed-cookie';
import { configOf } from '../http/desk';
import { inboxApp } from './inbox-server';
import { runView } from './run-view';
import { cookieOf, HERE, signedIn, tokenOf } from './visitor';

const REQUEST = { id: 'req', kind: 'approval', prompt: 'approve it' };
const VIEW = runView(REQUEST);

/** An inbox over a client that knows one run of nobody's, and keeps what it was told. */
function stand(file: object = {}) {
  const told: { tenant: string | null; what: string; value: unknown }[] = [];
  const forTenant = (tenant: string | null): InboxClient => ({
    requests: () => Promise.resolve([]),
    get: (runId) =>
      tenant === null && runId === 'r1'
        ? Promise.resolve(VIEW)
        : Promise.reject(new HoldpointError('Holdpoint.Run.NotFound', 'There is no such run.')),
    answer: (_, answer) => {
      told.push({ tenant, what: 'answer', value: answer });
      return Promise.reject(new HoldpointError('Holdpoint.Answer.NotApprover', 'Not you.'));
    },
    events: () => (async function* () {})(),
    revokeApproval: (runId, tool, options) => {
      told.push({ tenant, what: 'revoke', value: { runId, tool, by: options?.by, path: options?.path } });
      return Promise.resolve(true);
    },
    noteRefusal: (_, note) => {
      told.push({ tenant, what: 'refusal', value: note });
      return Promise.resolve();
    },
  });
  return { ...inboxApp({ client: { forTenant } }, file), told };
}

type Stand = ReturnType<typeof stand>;

function post(
  app: Stand['app'],
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = HERE,
) {
  return app.request(`http://inbox.test/inbox${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

test('every page forbids what it does not need, and is kept by nobody', async () => {
  const { app } = stand();
  for (const path of ['/sign-in', '', '/nothing', '/oidc']) {
    const { headers } = await app.request(`http://inbox.test/inbox${path}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("form-action 'self'; frame-ancestors 'none'; base-uri 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  }
});

test('a stranger is led to the sign-in and back, never elsewhere', async () => {
  const { app, keyOf } = stand();
  const away = await app.request('http://inbox.test/inbox/requests/r1/req?x=1');
  expect(away.status).toBe(302);
  expect(away.headers.get('location')).toBe('/inbox/sign-in?next=%2Finbox%2Frequests%2Fr1%2Freq%3Fx%3D1');
  const page = await app.request('http://inbox.test/inbox/sign-in');
  const [token, cookie] = [await tokenOf(page), cookieOf(page)];
  for (const next of [
    'https://evil.example/',
    '//evil.example/inbox',
    '/\\evil.example',
    '/inboxes',
    '/inbox/../x',
    'x',
  ]) {
    const response = await post(app, '/sign-in', { token, key: keyOf('ana'), next }, { ...HERE, cookie });
    expect({ next, to: response.headers.get('location') }).toEqual({ next, to: '/inbox' });
  }
  const polled = await app.request('http://inbox.test/inbox/requests/r1/req/state');
  expect(polled.status).toBe(401);
});

test('a session is an HttpOnly cookie that holds no key in the clear, secure where the address is', async () => {
  const plain = stand();
  const page = await plain.app.request('http://inbox.test/inbox/sign-in');
  expect(page.headers.get('set-cookie')).toMatch(/^holdpoint-inbox=.*; Path=\/; HttpOnly; SameSite=Lax$/);
  const { cookie } = await signedIn(plain, 'ana');
  expect(Buffer.from(cookie, 'base64url').toString()).not.toContain('hp_');
  expect(cookie).not.toContain(plain.keyOf('ana'));
  const secure = stand({ publicUrl: 'https://approvals.example.com' });
  const { headers } = await secure.app.request('http://inbox.test/inbox/sign-in');
  expect(headers.get('set-cookie')).toMatch(
    /^__Host-holdpoint-inbox=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test('a key that is withdrawn ends its session, a new signing key does not, and a forged cookie is none', async () => {
  const inbox = stand();
  const { app, config } = inbox;
  const { cookie } = await signedIn(inbox, 'ana');
  const status = async () => (await app.request('http://inbox.test/inbox', { headers: { cookie } })).status;
  expect(await status()).toBe(200);
  const [old] = config.current.signingKeys;
  const fresh = { id: 'second', secret: new Uint8Array(32).fill(9), verifyOnly: false };
  config.current = {
    ...config.current,
    signingKeys: [fresh, ...(old ? [{ ...old, verifyOnly: true }] : [])],
  };
  expect(await status()).toBe(200);
  const { keys } = config.current;
  config.current = { ...config.current, keys: keys.filter(({ name }) => name !== 'ana') };
  expect(await status()).toBe(302);
  config.current = { ...config.current, keys, signingKeys: [fresh] };
  expect(await status()).toBe(302);
});

test('a wrong key is refused, and after too many of them the page says to wait', async () => {
  const { app } = stand({ limits: { refusedPerMinute: 2 } });
  const page = await app.request('http://inbox.test/inbox/sign-in');
  const fields = { token: await tokenOf(page), key: 'hp_wrong_key' };
  const headers = { ...HERE, cookie: cookieOf(page) };
  const statuses = [];
  for (let at = 0; at < 3; at += 1) statuses.push((await post(app, '/sign-in', fields, headers)).status);
  expect(statuses).toEqual([401, 401, 429]);
});

test('where too many sign-ins have failed, no key is looked at any more, not even a right one', async () => {
  const inbox = stand({ limits: { refusedPerMinute: 1 } });
  const { app, keyOf } = inbox;
  const page = await app.request('http://inbox.test/inbox/sign-in');
  const [token, cookie] = [await tokenOf(page), cookieOf(page)];
  await post(app, '/sign-in', { token, key: 'hp_wrong_key' }, { ...HERE, cookie });
  const right = await post(app, '/sign-in', { token, key: keyOf('ana') }, { ...HERE, cookie });
  expect([right.status, right.headers.get('set-cookie')]).toEqual([429, null]);
});

const OIDC = { issuer: 'http://127.0.0.1:1', clientId: 'c', clientSecret: 's', everybody: true };

test('sign-ins by OpenID that fail count as wrong keys do', async () => {
  const { app } = stand({ limits: { refusedPerMinute: 2 }, oidc: OIDC });
  const statuses = [];
  for (let at = 0; at < 3; at += 1)
    statuses.push((await app.request('http://inbox.test/inbox/oidc/callback?code=stolen&state=x')).status);
  expect(statuses).toEqual([400, 400, 429]);
  // Nor is the provider asked for anything.
  expect((await app.request('http://inbox.test/inbox/oidc')).status).toBe(429);
});

test('a sign-in by OpenID lasts as long as the configuration says, eight hours by default, at most a day', async () => {
  const { config, app } = stand({ oidc: OIDC });
  const identity = {
    subject: 'ada@shop.example',
    roles: ['finance'],
    scopes: ['requests:read', 'requests:answer'],
    account: 'oidc x',
  };
  const sealed = await newSealer(config).seal(
    'session',
    { token: 't', credential: { is: 'oidc', identity } },
    999_999,
  );
  const headers = { cookie: `holdpoint-inbox=${sealed}` };
  const statusAfter = async (hours: number): Promise<number> => {
    const now = Date.now() + hours * 3_600_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    const { status } = await app.request('http://inbox.test/inbox', { headers });
    clock.mockRestore();
    return status;
  };
  expect([await statusAfter(0), await statusAfter(7.9), await statusAfter(8.1)]).toEqual([200, 200, 302]);
  const { oidc } = configOf({ oidc: { ...OIDC, sessionHours: 0.5 } });
  config.current = { ...config.current, ...(oidc && { oidc }) };
  expect([await statusAfter(0.4), await statusAfter(0.6)]).toEqual([200, 302]);
  // The provider is not trusted any more.
  config.current = without(config.current, 'oidc');
  expect(await statusAfter(0)).toBe(302);
  for (const sessionHours of [0, 25, '8'])
    expect(() => configOf({ oidc: { ...OIDC, sessionHours } })).toThrow(/sessionHours/);
});

test.each([
  ['without a token', {}, HERE],
  ['with another session\u2019s token', { token: 'x'.repeat(32) }, HERE],
  ['from another site, token and all', 'own', { 'sec-fetch-site': 'cross-site' }],
  ['from a sister site', 'own', { 'sec-fetch-site': 'same-site' }],
  ['from another origin, by an old browser', 'own', { origin: 'https://evil.example' }],
] as const)('a post %s changes nothing: 403', async (_, fields, headers) => {
  const inbox = stand();
  const { cookie, token } = await signedIn(inbox, 'ana');
  const response = await post(
    inbox.app,
    '/requests/r1/req',
    { action: 'approve', ...(fields === 'own' ? { token } : fields) },
    { ...headers, cookie },
  );
  expect(response.status).toBe(403);
  expect(inbox.told).toEqual([]);
});

test('a post that is no form is refused, and one that is too large', async () => {
  const inbox = stand();
  const { cookie, token } = await signedIn(inbox, 'ana');
  const json = await inbox.app.request('http://inbox.test/inbox/requests/r1/req', {
    method: 'POST',
    headers: { ...HERE, cookie, 'content-type': 'text/plain' },
    body: `token=${token}&action=approve`,
  });
  expect(json.status).toBe(415);
  const large = await post(
    inbox.app,
    '/requests/r1/req',
    { token, reason: 'x'.repeat(5_000_000) },
    { ...HERE, cookie },
  );
  expect(large.status).toBe(413);
  expect(inbox.told).toEqual([]);
});

test('who decides comes from the session alone, whatever the form says', async () => {
  const inbox = stand();
  const { cookie, token } = await signedIn(inbox, 'fay');
  const response = await post(
    inbox.app,
    '/requests/r1/req',
    { token, action: 'approve', by: 'key:ana', roles: 'boss', channel: 'api' },
    { ...HERE, cookie },
  );
  expect(response.status).toBe(403);
  expect(inbox.told).toEqual([
    {
      tenant: null,
      what: 'answer',
      value: { id: 'req', ok: true, by: 'key:fay', roles: ['finance'], channel: 'inbox' },
    },
  ]);
});

test('somebody without the scope to answer is refused, and the attempt is on the record', async () => {
  const inbox = stand();
  const { cookie, token } = await signedIn(inbox, 'rita');
  const response = await post(
    inbox.app,
    '/requests/r1/req',
    { token, action: 'approve' },
    { ...HERE, cookie },
  );
  expect(response.status).toBe(403);
  expect(inbox.told).toMatchObject([
    { what: 'refusal', value: { requestId: 'req', by: 'key:rita', channel: 'inbox' } },
  ]);
});

test('somebody without the scope to read cannot sign in', async () => {
  const { app, keyOf } = stand();
  const page = await app.request('http://inbox.test/inbox/sign-in');
  const fields = { token: await tokenOf(page), key: keyOf('sam') };
  const response = await post(app, '/sign-in', fields, { ...HERE, cookie: cookieOf(page) });
  expect(response.status).toBe(401);
  expect(await response.text()).toContain('no scope requests:read');
});

test('a run of another tenant is as one that does not exist, on every page', async () => {
  const inbox = stand();
  const { cookie, token } = await signedIn(inbox, 'tina');
  const seen = async (runId: string) => {
    const pages = ['', '/state', '/edit'].map((end) => `/requests/${runId}/req${end}`);
    const got = await Promise.all(
      [...pages, `/runs/${runId}`].map(async (path) =>
        inbox.app.request(`http://inbox.test/inbox${path}`, { headers: { cookie } }),
      ),
    );
    const sent = await post(
      inbox.app,
      `/requests/${runId}/req`,
      { token, action: 'approve' },
      { ...HERE, cookie },
    );
    return Promise.all(
      [...got, sent].map(async (response) => ({ status: response.status, text: await response.text() })),
    );
  };
  const others = await seen('r1');
  expect(others.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect(others).toEqual(await seen('r9'));
  expect(inbox.told).toEqual([]);
});

test('signing out takes a form of ours, and leaves no session', async () => {
  const inbox = stand();
  const { cookie, token } = await signedIn(inbox, 'ana');
  const foreign = await post(inbox.app, '/sign-out', {}, { ...HERE, cookie });
  expect(foreign.status).toBe(403);
  const response = await post(inbox.app, '/sign-out', { token }, { ...HERE, cookie });
  expect(response.status).toBe(303);
  expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
});
