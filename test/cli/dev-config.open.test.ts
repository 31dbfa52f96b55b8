import { linkSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDevConfig } from '../../src/cli/dev/dev-config';
import { newApiKey } from '../../src/config/api-key';
import { addKey } from '../../src/config/edit-config';
import { readConfig } from '../../src/config/read-config';

const root = mkdtempSync(join(tmpdir(), 'holdpoint-dev-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const at = (name: string): string => join(root, name);
const folder = {
  config: at('config.json'),
  key: at('key'),
  database: at('temporal.db'),
  bundle: at('bundle.js'),
  record: at('dev.json'),
};
const nameOf = async (): Promise<string[]> => (await readConfig(folder.config)).keys.map(({ name }) => name);

test('dev and who makes a key at the same time undo nothing of each other, and its own key stays', async () => {
  const { key } = await openDevConfig(folder, 'http://127.0.0.1:1');
  const names = ['a', 'b', 'c', 'd'];
  const make = (name: string) =>
    addKey(folder.config, newApiKey({ name, scopes: ['runs:read'], roles: [] }).entry);
  const opened = async (): Promise<void> => {
    for (let port = 2; port < 40; port += 1)
      expect((await openDevConfig(folder, `http://127.0.0.1:${port}`)).key).toBe(key);
  };
  await Promise.all([opened(), ...names.map(make)]);
  expect((await nameOf()).sort()).toEqual([...names, 'dev']);
});

test('the configuration is replaced whole: a disk that fills up leaves the one before', async () => {
  await openDevConfig(folder, 'http://127.0.0.1:3');
  linkSync(folder.config, at('before'));
  await openDevConfig(folder, 'http://127.0.0.1:4');
  expect(readFileSync(at('before'), 'utf8')).toContain('http://127.0.0.1:3');
  expect(readFileSync(folder.config, 'utf8')).toContain('http://127.0.0.1:4');
});
