import type { Page } from 'playwright-core';
import { identityOf } from '../../src/inbox/oidc';
import { accessibilityProblems, inBrowser, screenshot, signIn } from './browser';
import { CLIENT, openOidcServer, type OidcServer } from './oidc-server';
import { calling, useStage } from './stage';

const stage = useStage();
let provider: OidcServer | undefined;

/** The inbox with a provider that knows everybody who has a name. */
async function withProvider(): Promise<OidcServer> {
  const { inbox, tenant } = stage;
  provider ??= await openOidcServer(`${inbox.url}/oidc/callback`, (name) => ({
    email: `${name}@example.com`,
    email_verified: name !== 'ursula',
    roles: ['finance'],
    org: tenant,
  }));
  inbox.config.current = {
    ...inbox.config.current,
    oidc: {
      issuer: provider.issuer,
      ...CLIENT,
      scopes: ['openid', 'profile', 'email'],
      rolesClaim: 'roles',
      tenantClaim: 'org',
    },
  };
  return provider;
}
beforeAll(() => {
  // It says that it is set up for development.
  for (const level of ['warn', 'info'] as const) jest.spyOn(console, level).mockImplementation();
});
afterAll(() => provider?.close());

async function logIn(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

inBrowser(
  'somebody signs in at their provider, comes back to where they were, and decides in their name',
  async () => {
    const { client } = stage;
    const { issuer } = await withProvider();
    const { runId, link } = await stage.halted(calling('refund', { order: '1047', amountCents: 100 }));
    const page = await stage.visitor();
    await page.goto(link);
    expect(await accessibilityProblems(page)).toEqual([]);
    await screenshot(page, 'sign-in');
    const asked = page.waitForRequest((request) => request.url().startsWith(`${issuer}/auth`));
    await page.getByRole('link', { name: `Sign in with ${new URL(issuer).host}` }).click();
    const { searchParams } = new URL((await asked).url());
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect([...searchParams.keys()]).toEqual(expect.arrayContaining(['state', 'nonce', 'code_challenge']));
    await logIn(page, 'olga');
    await page.waitForURL(link);
    await page.getByText('olga@example.com').first().waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('heading', { name: 'This is approved' }).waitFor();
    expect((await client.result(runId)).receipts).toMatchObject([
      { by: 'olga@example.com', channel: 'inbox' },
    ]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  },
);

inBrowser(
  'a sign-in that this browser did not begin, or whose answer was changed, gives no session',
  async () => {
    const { inbox } = stage;
    const { issuer } = await withProvider();
    const page = await stage.visitor();
    await page.goto(`${inbox.url}/oidc/callback?code=stolen&state=x`);
    await page.getByRole('heading', { name: 'This sign-in was not begun here' }).waitFor();
    for (const state of ['another', undefined]) {
      const asked = page.waitForRequest((request) => request.url().startsWith(`${issuer}/auth?`));
      await page.goto(`${inbox.url}/oidc`);
      const begun = new URL((await asked).url()).searchParams.get('state') ?? '';
      const answer = new URLSearchParams({ code: 'made-up', state: state ?? begun, iss: issuer });
      await page.goto(`${inbox.url}/oidc/callback?${answer.toString()}`);
      await page.getByRole('heading', { name: 'The sign-in did not succeed' }).waitFor();
    }
    await page.goto(inbox.url);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  },
);

inBrowser('a provider that is away is said so, and the key still signs in', async () => {
  const { inbox } = stage;
  const { current } = inbox.config;
  const oidc = { issuer: 'http://127.0.0.1:1', ...CLIENT, scopes: ['openid'], rolesClaim: 'roles' };
  inbox.config.current = { ...current, oidc };
  const page = await stage.visitor();
  await page.goto(inbox.url);
  const response = page.waitForResponse((sent) => sent.url().endsWith('/oidc?next=%2Finbox'));
  await page.getByRole('link', { name: 'Sign in with 127.0.0.1:1' }).click();
  expect((await response).status()).toBe(503);
  await page.getByRole('heading', { name: 'The sign-in service does not answer' }).waitFor();
  await signIn(page, inbox.url, inbox.keyOf('ben'));
  await page.getByText('key:ben').waitFor();
});

const SETTINGS = {
  issuer: 'https://login.example',
  ...CLIENT,
  scopes: ['openid'],
  rolesClaim: 'realm.roles',
  tenantClaim: 'org',
  allowedTenants: ['acme'],
};

test('claims say who somebody is: a checked address, or the claim that is configured; roles and tenant where they are told', () => {
  const claims = {
    sub: '17',
    email: 'ada@example.com',
    email_verified: true,
    realm: { roles: ['boss'] },
    org: 'acme',
  };
  expect(identityOf(SETTINGS, claims)).toEqual({
    subject: 'ada@example.com',
    roles: ['boss'],
    tenant: 'acme',
    scopes: ['requests:read', 'requests:answer'],
    via: 'session',
    account: 'oidc https://login.example 17',
  });
  // No other claim in its place: with a second name one person would have two votes.
  expect(identityOf(SETTINGS, { ...claims, email_verified: 'true' })).toBeUndefined();
  expect(identityOf({ ...SETTINGS, subjectClaim: 'sub' }, claims)?.subject).toBe('17');
});

const CHECKED = { email: 'ada@example.com', email_verified: true };

test.each([
  ['without a tenant', { sub: '17', ...CHECKED }],
  ['of a tenant that may not sign in', { sub: '17', org: 'other', ...CHECKED }],
  ['with the name of a key', { sub: '17', org: 'acme', email: 'key:ana', email_verified: true }],
  ['without the claim that names them', { sub: '17', org: 'acme' }],
  ['with no subject', { org: 'acme', ...CHECKED }],
])('claims %s are nobody', (_, claims) => {
  expect(identityOf(SETTINGS, claims)).toBeUndefined();
});

test('only those whom the configuration lets in: by a role, or by a checked address of a domain', () => {
  const claims = {
    sub: '17',
    email: 'Ada@Shop.Example',
    email_verified: true,
    realm: { roles: ['boss'] },
    org: 'acme',
  };
  const who = (more: object, changed: object = {}) =>
    identityOf({ ...SETTINGS, ...more }, { ...claims, ...changed });
  expect(who({ allowedRoles: ['clerk', 'boss'] })).toMatchObject({ roles: ['boss'] });
  expect(who({ allowedRoles: ['clerk'] })).toBeUndefined();
  expect(who({ allowedDomains: ['shop.example'] })).toMatchObject({ subject: 'Ada@Shop.Example' });
  expect(who({ allowedDomains: ['shop.example'] }, { email_verified: false })).toBeUndefined();
  for (const email of ['ada@evil.example', 'ada@shop.example@evil.example', 'shop.example', 5])
    expect(who({ allowedDomains: ['shop.example'] }, { email })).toBeUndefined();
});
