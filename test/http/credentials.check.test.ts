import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { newId } from '../client/desk';
import { matching } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { configOf, halt, openHttpDesk, type HttpDesk } from './desk';

const AUDIENCE = 'holdpoint-api';

let http: HttpDesk;
let keys: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
let issuer: string;
let jwks: Server;
let body: string;

beforeAll(async () => {
  quietRuntime();
  http = await openHttpDesk();
  keys = await generateKeyPair('ES256');
  body = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256' }] });
  jwks = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1');
  await once(jwks, 'listening');
  issuer = `http://127.0.0.1:${(jwks.address() as AddressInfo).port}`;
  const more = configOf({
    jwt: [
      {
        issuer,
        audience: AUDIENCE,
        jwksUri: `${issuer}/jwks`,
        rolesClaim: 'realm_access.roles',
        tenantClaim: 'org',
        scopeClaim: 'scope',
      },
      {
        issuer: 'https://away.test',
        audience: AUDIENCE,
        jwksUri: 'http://127.0.0.1:1/jwks',
        scopes: ['runs:read'],
      },
    ],
  });
  http.config.current = { ...http.config.current, jwt: more.jwt };
});
afterAll(async () => {
  jwks?.close();
  await http?.close();
});

interface TokenOptions {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly by?: CryptoKey | Uint8Array;
  readonly alg?: string;
  readonly iss?: string;
  readonly aud?: string;
  readonly expires?: string | number | null;
}

const org = newId().slice(0, 20);

function token(options: TokenOptions = {}): Promise<string> {
  const {
    claims = {},
    by = keys.privateKey,
    alg = 'ES256',
    iss = issuer,
    aud = AUDIENCE,
    expires = '5m',
  } = options;
  const jwt = new SignJWT({
    sub: 'ann',
    org,
    scope: 'runs:read runs:write requests:read requests:answer',
    ...claims,
  })
    .setProtectedHeader({ alg, kid: 'one' })
    .setIssuer(iss)
    .setAudience(aud);
  if (expires !== null) jwt.setExpirationTime(expires);
  return jwt.sign(by);
}

test('a JWT’s subject, roles, tenant and scopes are those of its claims', async () => {
  const key = await token({ claims: { realm_access: { roles: ['boss', 'clerk'] } } });
  const { runId, requestId } = await halt(http, { key });
  await expect(http.desk.client.forTenant(org).get(runId)).resolves.toMatchObject({ status: 'pending' });
  const receipt = await http.call(`/v1/runs/${runId}/answers`, {
    body: { id: requestId, ok: false },
    key,
  });
  expect(receipt).toMatchObject({ status: 200, json: { by: 'ann' } });
  const reader = await token({ claims: { scope: 'runs:read' } });
  await expect(http.call(`/v1/runs/${runId}/cancel`, { method: 'POST', key: reader })).resolves.toMatchObject(
    {
      status: 403,
      json: { code: 'Holdpoint.Http.Forbidden', data: { scope: 'runs:write' } },
    },
  );
});

test.each<[string, () => Promise<string>]>([
  ['is expired', () => token({ expires: 1_000_000 })],
  ['never expires', () => token({ expires: null })],
  ['is for another audience', () => token({ aud: 'other' })],
  ['is of another issuer', () => token({ iss: 'https://else.test' })],
  ['is signed by a stranger', async () => token({ by: (await generateKeyPair('ES256')).privateKey })],
  [
    'is signed with the public key as if it were a secret',
    async () => token({ alg: 'HS256', by: new TextEncoder().encode(body) }),
  ],
  ['is not signed', async () => `${(await token()).split('.').slice(0, 2).join('.')}.`],
  ['has no tenant', () => token({ claims: { org: undefined } })],
  ['has a tenant that can be none', () => token({ claims: { org: 'a/b' } })],
  ['has no subject', () => token({ claims: { sub: undefined } })],
  ['names its subject like a key', () => token({ claims: { sub: 'key:tester' } })],
])('401: a JWT that %s', async (_, made) => {
  const reply = await http.call('/v1/runs', { key: await made() });
  expect(reply).toMatchObject({ status: 401, json: { code: 'Holdpoint.Http.Unauthenticated' } });
  expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="holdpoint", error="invalid_token"');
});

test('503: the issuer’s keys cannot be fetched', async () => {
  const reply = await http.call('/v1/runs', { key: await token({ iss: 'https://away.test' }) });
  expect(reply).toMatchObject({ status: 503, json: { code: 'Holdpoint.Http.Unavailable' } });
  expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
});

test.each<[string, string | null]>([
  ['none', null],
  ['a key that nobody made', `hp_0011223344556677_${'A'.repeat(43)}`],
  ['a key of no form', 'hp_x'],
])('401: %s', async (_, key) => {
  const reply = await http.call('/v1/runs', { key });
  expect(reply).toMatchObject({ status: 401, json: { detail: matching(/Authorization: Bearer/) } });
  expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer realm="holdpoint"/);
});

test('401: a key with the id of another, one that has expired, one that is revoked', async () => {
  const good = http.key();
  await expect(http.call('/v1/runs', { key: good })).resolves.toMatchObject({ status: 200 });
  const forged = good.slice(0, -1) + (good.endsWith('A') ? 'B' : 'A');
  const expired = http.key({ expiresAt: '2020-01-01T00:00:00Z' });
  for (const key of [forged, expired])
    await expect(http.call('/v1/runs', { key })).resolves.toMatchObject({ status: 401 });
  http.config.current = { ...http.config.current, keys: http.config.current.keys.slice(0, 1) };
  await expect(http.call('/v1/runs', { key: good })).resolves.toMatchObject({ status: 401 });
});

test('403: each route needs its scope, and nothing but health is open', async () => {
  const { paths } = (await http.call('/openapi.json')).json as {
    paths: Record<string, Record<string, { security?: unknown[] }>>;
  };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({
      path,
      method: method.toUpperCase(),
      security,
    })),
  );
  expect(routes.length).toBeGreaterThan(15);
  const powerless = http.key({ scopes: [] });
  for (const { path, method, security } of routes) {
    const real = path.replace('{id}', 'x').replace('{token}', 'x');
    const { status } = await http.call(real, { method, key: null });
    const { status: weak } = await http.call(real, { method, key: powerless });
    if (security === undefined) {
      expect({ path, status }).toEqual({ path, status: 401 });
      expect({ path, weak }).toEqual({ path, weak: path === '/openapi.json' ? 200 : 403 });
    } else if (path.endsWith('z')) expect({ path, status }).toEqual({ path, status: 200 });
    else expect([401, 404]).toContain(status);
  }
});

test('429: more requests than a key may make, and the others go on', async () => {
  const { current } = http.config;
  http.config.current = { ...current, limits: { ...current.limits, requestsPerMinute: 3 } };
  const [one, other] = [http.key(), http.key()];
  const statuses = [];
  for (let n = 0; n < 5; n += 1) statuses.push((await http.call('/v1/runs', { key: one })).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  const refused = await http.call('/v1/runs', { key: one });
  expect(refused.json['code']).toBe('Holdpoint.Http.RateLimited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await expect(http.call('/v1/runs', { key: other })).resolves.toMatchObject({ status: 200 });
  http.config.current = current;
});

test('429: guesses are counted by address, and do not lock out who has a key', async () => {
  const { current } = http.config;
  http.config.current = { ...current, limits: { ...current.limits, refusedPerMinute: 2 } };
  const api = http.another({});
  const statuses = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await http.call('/v1/runs', { key: null, api })).status);
  expect(statuses).toEqual([401, 401, 429, 429]);
  await expect(http.call('/v1/runs', { api })).resolves.toMatchObject({ status: 200 });
  http.config.current = current;
});

test('429: more waits than a key may have open; a place is free again when one ends', async () => {
  const { current } = http.config;
  http.config.current = { ...current, limits: { ...current.limits, concurrentWaitsPerKey: 1 } };
  const { runId } = await halt(http);
  const server = await http.serve();
  const key = http.key();
  const headers = { authorization: `Bearer ${key}` };
  const end = new AbortController();
  const stream = await fetch(`${server.url}/v1/runs/${runId}/events`, { headers, signal: end.signal });
  expect(stream.status).toBe(200);
  const body = { agent: 'desk', input: http.desk.play([{ content: 'Done.' }]) };
  const waiting = { body, key, headers: { prefer: 'wait=5' } };
  await expect(http.call(`/v1/runs/${runId}/events`, { key })).resolves.toMatchObject({
    status: 429,
    json: { code: 'Holdpoint.Http.TooManyWaits' },
  });
  // The run is started: who took a 429 for its own would start another one.
  await expect(http.call('/v1/runs', waiting)).resolves.toMatchObject({ status: 202 });
  end.abort();
  await stream.text().catch(() => undefined);
  await until('the place is free', async () => (await http.call('/v1/runs', waiting)).status === 200);
  http.config.current = current;
});
