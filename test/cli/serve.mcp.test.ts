import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { newApiKey } from '../../src/config/api-key';
import type { ApiKeyEntry } from '../../src/config/config';
import { connectMcp, type McpConnection } from '../../src/mcp/client/connection';
import { defineAgent, defineTool } from '../../src/tools';
import { newId, openDesk, type Desk } from '../client/desk';
import { SIGNING } from '../http/desk';
import { testServer } from '../support/test-server';
import { until } from '../support/until';
import { commandEnvironment, program } from './command';
import { newMcpProject } from './mcp-project';
import type { Project } from './project';

let refunds = 0;
const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order',
  inputSchema: { type: 'object' } as const,
  needsApproval: true,
  execute: () => {
    refunds += 1;
    return 'refunded';
  },
});
// Of nobody else on this server.
const tenant = newId();
const MAY_START = ['runs:write', 'requests:answer'] as const;
const people = {
  // Two tenants have keys of one name.
  shop: person({ name: 'shop', tenant }),
  foreign: person({ name: 'shop', tenant: newId() }),
  second: person({ name: 'second', tenant }),
  starter: person({ name: 'starter', scopes: ['runs:write'] }),
  reader: person({ name: 'reader', scopes: ['runs:read'] }),
};
type Name = keyof typeof people;

function person(entry: Partial<ApiKeyEntry> & Pick<ApiKeyEntry, 'name'>) {
  return newApiKey({ scopes: MAY_START, roles: [], ...entry });
}

let project: Project;
let desk: Desk;
let url: string;
let end: () => Promise<{ readonly code: number | null; readonly logs: string }>;

beforeAll(async () => {
  project = newMcpProject();
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools: [refund] })]);
  const keys = Object.values(people).map(({ entry }) => entry);
  await writeFile(
    join(project.folder, 'holdpoint.config.json'),
    JSON.stringify({ keys, signingKeys: [SIGNING], publicUrl: 'https://agents.example.com' }),
  );
  const { address, namespace } = testServer();
  const args = ['serve', '--port', '0', '--json', '--task-queue', desk.taskQueue, '--mcp', 'served.ts'];
  const child = spawn(process.execPath, [program(), ...args], {
    cwd: project.folder,
    env: commandEnvironment({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }),
  });
  const ended = once(child, 'exit');
  const logs = text(child.stderr);
  const told = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ready = JSON.parse(String((await told.next()).value)) as { url: string; mcp: string };
  expect(ready.mcp).toBe('https://agents.example.com/mcp');
  url = `${ready.url}/mcp`;
  end = async () => {
    child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    return { code, logs: await logs };
  };
});
const connections: McpConnection[] = [];
afterEach(async () => {
  refunds = 0;
  for (const connection of connections.splice(0)) await connection.close();
});
afterAll(async () => {
  await desk.close();
  project.remove();
});

async function as(name: Name): Promise<McpConnection> {
  const connection = await connectMcp({
    transport: { type: 'http', url },
    credentials: () => ({ authorization: `Bearer ${people[name].key}` }),
    capabilities: { elicitation: { form: {}, url: {} } },
  });
  connections.push(connection);
  return connection;
}

async function asked(connection: McpConnection, tool: string, args: Record<string, string>) {
  const round = await connection.request(tool, args);
  if (round.kind !== 'input' || round.requestState === undefined) throw new Error(JSON.stringify(round));
  const [id = ''] = Object.keys(round.requests);
  return { id, requestState: round.requestState };
}
const refunding = (): string =>
  desk.play([
    { toolCalls: [{ id: 'c', name: 'refund', arguments: { order: 7 } }] },
    { content: 'Refunded.' },
  ]);
const approved = (id: string) => ({ [id]: { action: 'accept', content: { decision: 'approve' } } });

/** A POST as no client of ours would send it. */
async function post(headers: Record<string, string>, body = '{}'): Promise<number | undefined> {
  const sent = request(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${people.shop.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

test('typed tools and agents are listed and called with a key', async () => {
  const connection = await as('shop');
  expect(await connection.list()).toMatchObject([
    { name: 'greet', annotations: { readOnlyHint: true } },
    { name: 'book' },
    { name: 'desk', description: 'Helps with orders' },
  ]);
  const outcome = await connection.request('greet', { name: 'Ada' });
  expect(outcome).toMatchObject({ kind: 'result', result: { structuredContent: 'Hello, Ada!' } });
});

test('nobody is served without a key, nor with one that may not start runs', async () => {
  await expect(post({ authorization: '' })).resolves.toBe(401);
  await expect(post({ authorization: 'Bearer hp_no' })).resolves.toBe(401);
  await expect(post({ authorization: `Bearer ${people.reader.key}` })).resolves.toBe(403);
});

test('another host, another page and too large a body are refused', async () => {
  await expect(post({ host: 'evil.example' })).resolves.toBe(403);
  await expect(post({ origin: 'https://evil.example' })).resolves.toBe(403);
  await expect(post({}, JSON.stringify({ a: 'x'.repeat(3 * 1024 * 1024) }))).resolves.toBe(413);
  const own = { host: 'agents.example.com', origin: 'https://agents.example.com' };
  await expect(post(own)).resolves.toBe(400);
});

test('an approval of an agent’s run is asked at a client that elicits, and the run is its tenant’s', async () => {
  const connection = await as('shop');
  const input = refunding();
  const { id, requestState } = await asked(connection, 'desk', { input });
  expect(refunds).toBe(0);
  const done = await connection.request('desk', { input }, { requestState, inputResponses: approved(id) });
  expect(done).toMatchObject({ kind: 'result', result: { content: [{ text: 'Refunded.' }] } });
  expect(refunds).toBe(1);
  const content = done.kind === 'result' ? done.result.content[0] : undefined;
  const runId = content?._meta?.['dev.holdpoint/run-id'];
  if (typeof runId !== 'string') throw new Error('The result names no run');
  const ran = await desk.client.forTenant(tenant).result(runId);
  expect(ran.receipts).toMatchObject([{ by: 'key:shop', channel: 'mcp' }]);
});

test('a state is of use to no other tenant, though its key has the same name, and to no other key', async () => {
  const shop = await as('shop');
  const input = refunding();
  const run = await asked(shop, 'desk', { input });
  const seat = await asked(shop, 'book', {});
  for (const name of ['foreign', 'second'] as const) {
    const other = await as(name);
    await expect(
      other.request('desk', { input }, { requestState: run.requestState, inputResponses: approved(run.id) }),
    ).rejects.toMatchObject({ code: -32602 });
    await expect(
      other.request(
        'book',
        {},
        {
          requestState: seat.requestState,
          inputResponses: { [seat.id]: { action: 'accept', content: { seat: '4a' } } },
        },
      ),
    ).rejects.toMatchObject({ code: -32602 });
  }
  expect(refunds).toBe(0);
});

test('a key that may not answer is told where its run waits, and is asked nothing', async () => {
  const connection = await as('starter');
  const outcome = await connection.request('desk', { input: refunding() });
  expect(outcome).toMatchObject({
    result: {
      isError: true,
      structuredContent: { error: 'awaiting_input', requests: [{ kind: 'approval' }] },
    },
  });
});

// Last: it ends the server.
test('it ends while a call is under way, whose run is cancelled, and logs no key', async () => {
  const connection = await as('shop');
  const input = desk.play([{ hold: new Promise(() => undefined), content: 'x' }]);
  const calling = connection.request('desk', { input }).catch(() => undefined);
  await until('the model is asked', () =>
    desk.model.requests.some(({ body }) => JSON.stringify(body).includes(input)),
  );
  const { code, logs } = await end();
  await calling;
  expect(code).toBe(0);
  await until(
    'the run is cancelled',
    async () => (await desk.client.forTenant(tenant).list({ status: 'cancelled' })).length === 1,
  );
  expect(logs).toContain('"route":"/mcp"');
  for (const { key } of Object.values(people)) expect(logs).not.toContain(key);
});
