import { mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/config/config';
import { findApiKey, newApiKey } from '../../src/config/api-key';
import { addKey, addSigningKey, removeKey } from '../../src/config/edit-config';
import { openConfig } from '../../src/config/live-config';
import { configPath, parseConfig, readConfig } from '../../src/config/read-config';
import { holdpointError, matching } from '../support/matchers';

const SECRET = Buffer.alloc(32, 1).toString('base64');
const WHSEC = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-config-'));
  file = join(folder, 'holdpoint.config.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const parse = (value: unknown, env = {}): Config => parseConfig(JSON.stringify(value), 'c.json', env);
const write = (value: unknown): Promise<void> => writeFile(file, JSON.stringify(value));

test('an empty file is a configuration with nobody in it, and every limit has its default', () => {
  expect(parse({})).toEqual({
    keys: [],
    jwt: [],
    signingKeys: [],
    webhooks: { endpoints: [], allow: [], incoming: [] },
    limits: {
      bodyBytes: 2_097_152,
      requestsPerMinute: 600,
      refusedPerMinute: 60,
      concurrentWaits: 1_000,
      concurrentWaitsPerKey: 100,
      headersMs: 10_000,
      requestMs: 30_000,
      readMs: 8_000,
    },
  });
});

test('secrets come from the file or from the environment', () => {
  const file = {
    signingKeys: [{ id: 'a', secret: { env: 'SIGNING' } }],
    webhooks: { incoming: [{ id: 'erp', by: 'erp', secrets: [{ env: 'HOOK' }, WHSEC] }] },
    oidc: { issuer: 'https://id.test', clientId: 'x', clientSecret: { env: 'OIDC' }, allowedRoles: ['boss'] },
    publicUrl: 'https://holdpoint.test/',
  };
  const config = parse(file, { SIGNING: SECRET, HOOK: WHSEC, OIDC: 'shh' });
  expect(config.signingKeys[0]).toEqual({ id: 'a', secret: new Uint8Array(32).fill(1), verifyOnly: false });
  expect(config.webhooks.incoming[0]?.secrets).toEqual([WHSEC, WHSEC]);
  expect(config.oidc?.clientSecret).toBe('shh');
  expect(config.publicUrl).toBe('https://holdpoint.test');
  expect(() => parse(file, {})).toThrow(
    holdpointError(
      'Holdpoint.Config.Invalid',
      /`signingKeys\[0\]\.secret`: The environment variable SIGNING/,
    ),
  );
});

const HIDDEN = 'hunter2';

test.each<[string, unknown, RegExp]>([
  ['an unknown field', { keyz: [] }, /Unrecognized key: "keyz"/],
  [
    'a scope that is none',
    { keys: [{ id: 'a', name: 'a', hash: '0'.repeat(64), scopes: ['all'] }] },
    /`keys\[0\]\.scopes\[0\]`/,
  ],
  ['a hash that is none', { keys: [{ id: 'a', name: 'a', hash: HIDDEN, scopes: [] }] }, /`keys\[0\]\.hash`/],
  ['a tenant that is none', { keys: [key({ tenant: 'a/b' })] }, /`keys\[0\]\.tenant`: Expected a tenant/],
  [
    'the tenant that would be a conversation',
    { keys: [key({ tenant: 'conversation' })] },
    /`keys\[0\]\.tenant`/,
  ],
  [
    'a time without an offset',
    { keys: [key({ expiresAt: '2030-01-01T00:00:00' })] },
    /instant with an offset/,
  ],
  ['two keys of one id', { keys: [key(), key()] }, /`keys`: Two entries have the same `id`/],
  [
    'a signing key that is too short',
    { signingKeys: [{ id: 'a', secret: HIDDEN }] },
    /`signingKeys\[0\]\.secret`.*32/,
  ],
  ['no key that signs', { signingKeys: [{ id: 'a', secret: SECRET, verifyOnly: true }] }, /must sign/],
  [
    'a webhook secret that is none',
    { webhooks: { incoming: [{ id: 'a', by: 'a', secrets: [HIDDEN] }] } },
    /incoming\[0\]\.secrets\[0\]`: Expected whsec_/,
  ],
  [
    'an issuer that gives no scopes',
    { jwt: [{ issuer: 'a', audience: 'b', jwksUri: 'https://c.test' }] },
    /`jwt\[0\]`: Give `scopes`/,
  ],
  ...['http://id.test/keys', 'http://127.0.0.1.evil.test/', 'http://10.0.0.1/keys'].map(
    (jwksUri): [string, unknown, RegExp] => [
      `keys of an issuer at ${jwksUri}`,
      { jwt: [{ issuer: 'a', audience: 'b', scopes: [], jwksUri }] },
      /`jwt\[0\]\.jwksUri`: Expected an https URL/,
    ],
  ),
  [
    'an issuer by plain http',
    { jwt: [{ issuer: 'http://id.test', audience: 'b', scopes: [], jwksUri: 'https://id.test' }] },
    /`jwt\[0\]\.issuer`/,
  ],
  [
    'a provider of identities by plain http',
    { oidc: { issuer: 'http://id.test', clientId: 'x', clientSecret: 'y', everybody: true } },
    /`oidc\.issuer`: Expected an https URL/,
  ],
  ['a URL that is none', { publicUrl: 'javascript:alert(1)' }, /`publicUrl`: Expected an http or https URL/],
  ['a limit of nothing', { limits: { bodyBytes: 0 } }, /`limits\.bodyBytes`/],
  ['a list', [], /expected object/],
])('%s is refused, its place named and no value shown', (_, value, message) => {
  const attempt = (): Config => parse(value);
  expect(attempt).toThrow(holdpointError('Holdpoint.Config.Invalid', message, { path: 'c.json' }));
  expect(attempt).not.toThrow(new RegExp(HIDDEN));
});

test('what is no JSON is refused without a piece of it, and a file that is not there says how to name one', async () => {
  const secret = `{"signingKeys": "${HIDDEN}", }`;
  const attempt = (): Config => parseConfig(secret, 'c.json', {});
  expect(attempt).toThrow(holdpointError('Holdpoint.Config.Invalid', /is not JSON/));
  expect(attempt).not.toThrow(new RegExp(HIDDEN));
  await expect(readConfig(join(folder, 'none.json'))).rejects.toEqual(
    holdpointError('Holdpoint.Config.Unreadable', /--config or HOLDPOINT_CONFIG/),
  );
});

test('the file is the one that is named, else that of HOLDPOINT_CONFIG', () => {
  expect(configPath('a.json', { HOLDPOINT_CONFIG: 'b.json' })).toBe('a.json');
  expect(configPath(undefined, { HOLDPOINT_CONFIG: 'b.json' })).toBe('b.json');
  expect(configPath(undefined, {})).toBeUndefined();
});

test('a change counts without a restart; a broken version leaves the old one in use and is told, again while it lasts', async () => {
  await write({ publicUrl: 'https://one.test' });
  const told: string[] = [];
  const tell = (_: object, message: string): void => void told.push(message);
  const live = await openConfig(file, { logger: { info: tell, error: tell }, pollMs: 1e6 });
  const seen: (string | undefined)[] = [];
  const end = live.onChange(({ publicUrl }) => seen.push(publicUrl));
  try {
    await live.reload();
    expect(told).toEqual([]);
    await writeFile(file, '{');
    await live.reload();
    await live.reload();
    expect(live.current.publicUrl).toBe('https://one.test');
    expect(told).toEqual([expect.stringMatching(/stays in use.*is not JSON/)]);
    expect(live.problem).toMatch(/is not JSON/);
    // As a cluster updates a mounted volume: another file under the same name.
    await writeFile(join(folder, 'two.json'), JSON.stringify({ publicUrl: 'https://two.test' }));
    await symlink('two.json', join(folder, 'link'));
    await rename(join(folder, 'link'), file);
    await live.reload();
    expect(live.current.publicUrl).toBe('https://two.test');
    expect(live.problem).toBeUndefined();
    await writeFile(file, '{');
    await live.reload();
    await rm(file);
    await live.reload();
    expect(live.current.publicUrl).toBe('https://two.test');
    expect(told).toHaveLength(4);
    end();
    await write({});
    await live.reload();
    expect(seen).toEqual(['https://two.test']);
  } finally {
    live.close();
  }
});

test('a version that stays broken is told again, and the return of the old one ends that', async () => {
  await write({});
  const told: string[] = [];
  const tell = (_: object, message: string): void => void told.push(message);
  const live = await openConfig(file, { logger: { info: tell, error: tell }, pollMs: 1e6, remindMs: 0 });
  try {
    await writeFile(file, '{');
    await live.reload();
    await live.reload();
    await write({});
    await live.reload();
    await live.reload();
    expect(told).toEqual([
      matching(/is not JSON/),
      matching(/is not JSON/),
      matching(/again what is in use/),
    ]);
    expect(live.problem).toBeUndefined();
  } finally {
    live.close();
  }
});

test('a change is seen without being asked for', async () => {
  await write({});
  const live = await openConfig(file, { pollMs: 20 });
  const changed = new Promise<Config>((resolve) => live.onChange(resolve));
  await write({ publicUrl: 'https://new.test' });
  await expect(changed).resolves.toMatchObject({ publicUrl: 'https://new.test' });
  live.close();
});

test('a key is found by all of it and by nothing less; only its hash is kept', () => {
  const { key: made, entry } = newApiKey({ name: 'shop', scopes: ['runs:read'], roles: [] });
  expect(made).toMatch(/^hp_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
  expect(JSON.stringify(entry)).not.toContain(made.slice(-43));
  const now = Date.now();
  expect(findApiKey([entry], made, now)).toBe(entry);
  for (const wrong of [
    '',
    made.slice(0, -1),
    `${made}x`,
    made.replace(/.$/, '-'),
    made.replace('hp_', 'hp_x'),
  ])
    expect(findApiKey([entry], wrong, now)).toBeUndefined();
  const until = { ...entry, expiresAt: new Date(now).toISOString() };
  expect(findApiKey([until], made, now - 1)).toBe(until);
  expect(findApiKey([until], made, now)).toBeUndefined();
});

test('keys that are made and revoked at the same time are all there, or all gone', async () => {
  const made = Array.from({ length: 4 }, () => newApiKey({ name: 'shop', scopes: [], roles: [] }).entry);
  await Promise.all(made.map((entry) => addKey(file, entry)));
  expect((await readConfig(file)).keys.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
  await Promise.all(made.map(({ id }) => removeKey(file, id)));
  expect((await readConfig(file)).keys).toEqual([]);
  await expect(readdir(folder)).resolves.toEqual(['holdpoint.config.json']);
});

test('a new file has a key that signs; another one signs from then on, and the first still verifies', async () => {
  const { entry } = newApiKey({ name: 'shop', scopes: [], roles: [] });
  const { signingKeyId = '' } = await addKey(file, entry);
  const keysOf = async () =>
    (await readConfig(file)).signingKeys.map(({ id, verifyOnly }) => [id, verifyOnly]);
  await expect(keysOf()).resolves.toEqual([[signingKeyId, false]]);
  const second = await addSigningKey(file);
  await expect(keysOf()).resolves.toEqual([
    [second, false],
    [signingKeyId, true],
  ]);
  await write({});
  await expect(addKey(file, entry)).resolves.toEqual({});
  await expect(keysOf()).resolves.toEqual([]);
});

test('keys are made without the secrets that the file names in the environment; a wrong file stays refused', async () => {
  const secrets = [{ env: 'NOT_SET_HERE' }];
  const oidc = { issuer: 'https://id.test', clientId: 'x', clientSecret: secrets[0], everybody: true };
  const incoming = [{ id: 'erp', by: 'erp', secrets }];
  const content = { signingKeys: [{ id: 'a', secret: secrets[0] }], oidc, webhooks: { incoming } };
  await write(content);
  const { entry } = newApiKey({ name: 'shop', scopes: [], roles: [] });
  await addKey(file, entry);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ ...content, keys: [entry] });
  await expect(readConfig(file, {})).rejects.toEqual(holdpointError('Holdpoint.Config.Invalid'));
  await write({ ...content, publicUrl: 'x' });
  await expect(addKey(file, entry)).rejects.toEqual(holdpointError('Holdpoint.Config.Invalid', /publicUrl/));
});

test('a revocation makes no file where there is none', async () => {
  await expect(removeKey(file, 'x')).resolves.toBe(false);
  await expect(readdir(folder)).resolves.toEqual([]);
});

test('keys are added and removed in place; what else the file says stays, and a broken file is left alone', async () => {
  const { entry } = newApiKey({ name: 'shop', scopes: ['runs:read'], roles: [] });
  await addKey(file, entry);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await write({
    publicUrl: 'https://holdpoint.test',
    signingKeys: [{ id: 'a', secret: { env: 'S' } }],
    keys: [entry],
  });
  const { entry: second } = newApiKey({ name: 'desk', scopes: [], roles: [], tenant: 'acme' });
  const env = { S: SECRET };
  await addKey(file, second);
  expect((await readConfig(file, env)).keys).toEqual([entry, second]);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ signingKeys: [{ secret: { env: 'S' } }] });
  await expect(removeKey(file, entry.id)).resolves.toBe(true);
  await expect(removeKey(file, entry.id)).resolves.toBe(false);
  expect((await readConfig(file, env)).keys).toEqual([second]);
  await writeFile(file, '{"keys": [');
  await expect(addKey(file, entry)).rejects.toEqual(holdpointError('Holdpoint.Config.Invalid'));
  await expect(readFile(file, 'utf8')).resolves.toBe('{"keys": [');
});

function key(more: object = {}): object {
  return { id: 'a', name: 'a', hash: '0'.repeat(64), scopes: [], ...more };
}

test.each(['http://127.0.0.1:8080', 'http://localhost:8080/x', 'http://[::1]:1', 'https://id.test'])(
  'keys and identities may come from %s',
  (url) => {
    const oidc = { issuer: url, clientId: 'x', clientSecret: 'shh', everybody: true };
    const jwt = [{ issuer: url, audience: 'b', scopes: [], jwksUri: url }];
    expect(parse({ oidc, jwt })).toMatchObject({ oidc: { issuer: url }, jwt: [{ jwksUri: url }] });
  },
);

test('a provider of identities needs a word on who may sign in: nobody is let in by default', () => {
  const oidc = { issuer: 'https://id.test', clientId: 'x', clientSecret: 'shh' };
  expect(() => parse({ oidc })).toThrow(/`oidc`: It does not say who may sign in/);
  for (const who of [{ allowedRoles: ['boss'] }, { allowedDomains: ['shop.example'] }, { everybody: true }])
    expect(parse({ oidc: { ...oidc, ...who } }).oidc).toMatchObject(who);
  expect(() => parse({ oidc: { ...oidc, allowedRoles: [] } })).toThrow(/allowedRoles/);
});
