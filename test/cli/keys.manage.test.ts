import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findApiKey } from '../../src/config/api-key';
import { readConfig } from '../../src/config/read-config';
import { documentOf, holdpoint, type CommandRun } from './command';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-keys-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const keys = (...args: string[]): Promise<CommandRun> =>
  holdpoint(['keys', ...args], { env: {}, cwd: folder });

test('a key is made, shown once, listed without its secret, and revoked', async () => {
  const made = await keys(
    'create',
    '--name',
    'shop',
    '--scope',
    'runs:read',
    'runs:write',
    '--expires',
    '90d',
  );
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^hp_\S+\n$/) as string });
  expect(made.stderr).toMatch(/is new.*signing key[^]*holdpoint\.config\.json.*only time/);
  const key = made.stdout.trim();
  const file = join(folder, 'holdpoint.config.json');
  await expect(readFile(file, 'utf8')).resolves.not.toContain(key);
  const config = await readConfig(file);
  const entry = findApiKey(config.keys, key, Date.now());
  expect(entry).toMatchObject({ name: 'shop', scopes: ['runs:read', 'runs:write'], roles: [] });
  expect(Date.parse(entry?.expiresAt ?? '') - Date.now()).toBeGreaterThan(89 * 24 * 3600 * 1000);

  const second = documentOf(
    await keys(
      'create',
      '--name',
      'desk',
      '--scope',
      'metrics',
      '--tenant',
      'acme',
      '--role',
      'boss',
      '--json',
    ),
  ) as { key: string; id: string };
  expect(second).toMatchObject({ name: 'desk', tenant: 'acme', roles: ['boss'] });
  const list = await keys('list');
  expect(list.stdout).toMatch(/shop +runs:read runs:write/);
  expect(list.stdout).toMatch(/desk +metrics +acme +boss/);
  const ofTenant = await keys('list', '--tenant', 'acme');
  expect(ofTenant.stdout).toMatch(/desk/);
  expect(ofTenant.stdout).not.toMatch(/shop/);
  expect((await keys('list', '--tenant', 'globex')).stdout).toMatch(/no keys of tenant globex/);
  const listed = JSON.stringify(documentOf(await keys('list', '--json')));
  expect(listed).not.toMatch(/hash|hp_/);

  const signing = documentOf(await keys('signing', '--json')) as { signingKey: string };
  expect((await readConfig(file)).signingKeys[0]?.id).toBe(signing.signingKey);

  await expect(keys('revoke', second.id)).resolves.toMatchObject({ code: 0 });
  expect(findApiKey((await readConfig(file)).keys, second.key, Date.now())).toBeUndefined();
  await expect(keys('revoke', second.id)).resolves.toMatchObject({ code: 2 });
});

test.each<[string[], RegExp]>([
  [['create', '--scope', 'runs:read'], /--name/],
  [['create', '--name', 'x'], /--scope/],
  [['create', '--name', 'x', '--scope', 'all'], /Allowed choices are runs:read/],
  [['create', '--name', 'x', '--scope', 'runs:read', '--tenant', 'a/b'], /1 to 64/],
  [['create', '--name', 'x', '--scope', 'runs:read', '--expires', 'soon'], /duration/],
  [['revoke'], /keys list/],
  [['list', '--config', 'none.json'], /cannot be read/],
  [['make'], /Allowed choices are create, list, revoke, signing/],
])('keys %j is refused with 2 and says what to give', async (args, message) => {
  const run = await keys(...args);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(message);
});
