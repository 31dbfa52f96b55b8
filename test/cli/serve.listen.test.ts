import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { addKey, removeKey } from '../../src/config/edit-config';
import { newApiKey } from '../../src/config/api-key';
import { matching } from '../support/matchers';
import { testServer } from '../support/test-server';
import { until } from '../support/until';
import { commandEnvironment, holdpoint, program } from './command';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-serve-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A server in a process of its own, once it listens. */
async function serve(...args: readonly string[]) {
  const { address, namespace } = testServer();
  const child = spawn(process.execPath, [program(), 'serve', '--port', '0', '--json', ...args], {
    cwd: folder,
    env: commandEnvironment({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }),
  });
  const ended = once(child, 'exit');
  const logs = text(child.stderr);
  const told = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await told.next();
  const ready = JSON.parse(String(first.value)) as { readonly event: string; readonly url: string };
  return {
    ready,
    status: async (path: string, key?: string): Promise<number> => {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
      return (await fetch(`${ready.url}${path}`, { headers })).status;
    },
    async end() {
      child.kill('SIGTERM');
      const [code] = (await ended) as [number | null];
      return { code, logs: await logs, last: String((await told.next()).value) };
    },
  };
}

test('without keys it serves health alone and says how to make one', async () => {
  const server = await serve();
  const { url } = server.ready;
  expect(server.ready).toMatchObject({ event: 'ready', inbox: `${url}/inbox` });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await expect(server.status('/inbox/sign-in')).resolves.toBe(200);
  await expect(server.status('/healthz')).resolves.toBe(200);
  await expect(server.status('/readyz')).resolves.toBe(200);
  await expect(server.status('/v1/runs')).resolves.toBe(401);
  const { code, logs, last } = await server.end();
  expect({ code, last }).toEqual({ code: 0, last: '{"event":"ended"}' });
  expect(logs).toMatch(/every call is refused.*holdpoint keys create/);
});

test('a key that is made while it runs is taken up, and one that is revoked is not taken any more', async () => {
  const config = join(folder, 'served.json');
  await writeFile(config, '{}');
  const server = await serve('--config', config);
  const { key, entry } = newApiKey({ name: 'shop', scopes: ['runs:read'], roles: [] });
  await expect(server.status('/v1/runs', key)).resolves.toBe(401);
  await addKey(config, entry);
  await until('the key is taken up', async () => (await server.status('/v1/runs', key)) === 200);
  await removeKey(config, entry.id);
  await until('the key is refused', async () => (await server.status('/v1/runs', key)) === 401);
  const { logs } = await server.end();
  expect(logs).toContain('"route":"/v1/runs"');
  expect(logs).not.toContain(key);
});

test('a configuration that is not valid, and a port that is in use, end it at once', async () => {
  const config = join(folder, 'broken.json');
  await writeFile(config, '{"keyz": []}');
  const { address } = testServer();
  const env = { TEMPORAL_ADDRESS: address };
  const broken = await holdpoint(['serve', '--config', config], { env });
  expect(broken).toMatchObject({ code: 2, stderr: matching(/Unrecognized key/) });
  const server = await serve();
  const { port } = new URL(server.ready.url);
  const taken = await holdpoint(['serve', '--port', port], { env, cwd: folder });
  const message = new RegExp(`Port ${port} is in use\\. Give another one with \`--port\``);
  expect(taken).toMatchObject({ code: 6, stderr: matching(message) });
  const nowhere = await holdpoint(['serve', '--port', '0', '--host', '192.0.2.1'], { env, cwd: folder });
  expect(nowhere).toMatchObject({ code: 6, stderr: matching(/of 192\.0\.2\.1 cannot be listened on/) });
  await server.end();
});
