import { Client, Connection } from '@temporalio/client';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '../../src/testing';
import { testServer } from '../support/test-server';

// Bundles and processes start slowly on a busy machine.
jest.setTimeout(180_000);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdpoint-server-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test("the test run's server has the search attributes that runs set", async () => {
  expect(await searchAttributesOf(testServer())).toEqual(
    expect.arrayContaining([
      'HoldpointAgent',
      'HoldpointStatus',
      'HoldpointWaitingFor',
      'HoldpointTenant',
      'HoldpointDeadline',
    ]),
  );
});

test('a server can be started without the search attributes, and stopped', async () => {
  const server = await startTestServer({ dedicated: true, searchAttributes: false });
  expect((await searchAttributesOf(server)).filter((name) => name.startsWith('Holdpoint'))).toEqual([]);
  await server.stop();
  expect(isAlive(server)).toBe(false);
});

test('a killed server goes on where it stood, on the same port and database file', async () => {
  const dbFilename = join(directory, 'restart.db');
  const first = await startTestServer({ dedicated: true, dbFilename });
  const port = Number(first.address.split(':')[1]);
  await withClient(first, (client) =>
    client.workflow.start('parked', { workflowId: 'survivor', taskQueue: 'nobody', args: [] }),
  );
  await first.kill();
  expect(isAlive(first)).toBe(false);

  await using second = await startTestServer({ dedicated: true, dbFilename, port });
  expect(second.address).toBe(first.address);
  const { status } = await withClient(second, (client) => client.workflow.getHandle('survivor').describe());
  expect(status.name).toBe('RUNNING');
});

test('dynamic configuration reaches the server', async () => {
  const dynamicConfig = { 'limit.maxIDLength': 20 };
  await using server = await startTestServer({ dedicated: true, dynamicConfig });
  const longId = 'x'.repeat(21);
  const start = withClient(server, (client) =>
    client.workflow.start('parked', { workflowId: longId, taskQueue: 'nobody', args: [] }),
  );
  await expect(start).rejects.toMatchObject({
    cause: { details: expect.stringMatching(/length/i) as string },
  });
});

test('the web page answers when it is asked for', async () => {
  await using server = await startTestServer({ dedicated: true, ui: true });
  const page = await fetch(server.webUrl ?? 'http://none');
  expect(page.status).toBe(200);
});

test('a taken port is an error that names the port and what wanted it', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  try {
    await expect(startTestServer({ dedicated: true, port })).rejects.toMatchObject({
      type: 'Holdpoint.Server.PortTaken',
      data: { port },
      message: expect.stringMatching(
        `Port ${port} .*the Temporal server, is already taken.*choose another`,
      ) as string,
    });
    await expect(startTestServer({ dedicated: true, uiPort: port })).rejects.toMatchObject({
      type: 'Holdpoint.Server.PortTaken',
      message: expect.stringContaining('web page') as string,
    });
  } finally {
    taken.close();
  }
});

test('a server that ends while it starts is an error with what it printed', async () => {
  const dbFilename = join(directory, 'missing', 'x.db');
  await expect(startTestServer({ dedicated: true, dbFilename })).rejects.toMatchObject({
    type: 'Holdpoint.Server.Failed',
    message: expect.stringMatching(/exit code 1.*no such file or directory/s) as string,
  });
});

async function searchAttributesOf(server: Pick<TestServer, 'address' | 'namespace'>): Promise<string[]> {
  const connection = await Connection.connect({ address: server.address });
  const { namespace } = server;
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  await connection.close();
  return Object.keys(customAttributes ?? {});
}

async function withClient<T>(server: TestServer, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: server.address });
  try {
    return await use(new Client({ connection, namespace: server.namespace }));
  } finally {
    await connection.close();
  }
}

function isAlive(server: TestServer): boolean {
  try {
    return process.kill(server.pid ?? Number.NaN, 0);
  } catch {
    return false;
  }
}
