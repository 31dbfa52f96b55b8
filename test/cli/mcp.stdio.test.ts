import { readMcpFile } from '../../src/cli/mcp/mcp-file';
import { connectMcp, type McpConnection } from '../../src/mcp/client/connection';
import { defineAgent, defineTool } from '../../src/tools';
import { newId, openDesk, type Desk } from '../client/desk';
import { holdpointError, matching } from '../support/matchers';
import { testServer } from '../support/test-server';
import { until } from '../support/until';
import { commandEnvironment, documentOf, holdpoint, program } from './command';
import { newMcpProject } from './mcp-project';
import type { Project } from './project';

let project: Project;
let desk: Desk;
const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order',
  inputSchema: { type: 'object' } as const,
  needsApproval: true,
  execute: () => 'refunded',
});
/** An agent of nobody else, to find its runs by. */
const own = newId();
beforeAll(async () => {
  project = newMcpProject();
  desk = await openDesk(
    ['desk', own].map((name) => defineAgent({ name, model: 'scripted', tools: [refund] })),
  );
});
afterAll(async () => {
  await desk.close();
  project.remove();
});

function connect(...args: readonly string[]): Promise<McpConnection> {
  const { address, namespace } = testServer();
  return connectMcp({
    transport: {
      type: 'stdio',
      command: process.execPath,
      args: [program(), 'mcp', ...args, '--task-queue', desk.taskQueue],
      cwd: project.folder,
      env: commandEnvironment({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }) as Record<
        string,
        string
      >,
    },
    capabilities: { elicitation: { form: {} } },
  });
}

test('typed tools are served, though they print to the console', async () => {
  const connection = await connect('tools.ts', '--name', 'shop');
  expect(connection.server?.name).toBe('shop');
  expect((await connection.list()).map(({ name }) => name)).toEqual(['greet', 'book']);
  const outcome = await connection.request('greet', { name: 'Ada' });
  expect(outcome).toMatchObject({ kind: 'result', result: { structuredContent: 'Hello, Ada!' } });
  await connection.close();
});

test('tools alone need no Temporal server, and the end of the input ends it with 0', async () => {
  const ended = await holdpoint(['mcp', 'tools.ts'], {
    env: { TEMPORAL_ADDRESS: '127.0.0.1:1' },
    cwd: project.folder,
  });
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('the agents of a worker’s file are tools, and what they ask is asked at the client', async () => {
  const connection = await connect('agents.ts');
  expect((await connection.list()).map(({ name }) => name)).toEqual(['greet', 'book', 'desk']);
  const input = desk.play([
    { toolCalls: [{ id: 'c', name: 'refund', arguments: { order: 7 } }] },
    { content: 'Refunded.' },
  ]);
  const round = await connection.request('desk', { input });
  if (round.kind !== 'input' || round.requestState === undefined) throw new Error(JSON.stringify(round));
  const [id = ''] = Object.keys(round.requests);
  const done = await connection.request(
    'desk',
    { input },
    {
      requestState: round.requestState,
      inputResponses: { [id]: { action: 'accept', content: { decision: 'approve' } } },
    },
  );
  expect(done).toMatchObject({ result: { content: [{ text: 'Refunded.' }] } });
  await connection.close();
});

test('a run without a key is cancelled when its client goes away', async () => {
  project.write(
    'own.ts',
    `export const mcpAgents = [{ agent: '${own}', name: 'desk', description: 'Helps with orders' }];\n`,
  );
  const connection = await connect('own.ts');
  const input = desk.play([{ hold: new Promise(() => undefined), content: 'x' }]);
  const calling = connection.request('desk', { input }).catch(() => undefined);
  await until('the model is asked', () =>
    desk.model.requests.some(({ body }) => JSON.stringify(body).includes(input)),
  );
  await connection.close();
  await calling;
  await until(
    'the run is cancelled',
    async () => (await desk.client.list({ agent: own, status: 'cancelled' })).length === 1,
  );
});

test('a file that exports nothing to serve ends it with 2 and says what to export', async () => {
  project.write('empty.ts', 'export const other = 1;\n');
  const ended = await holdpoint(['mcp', 'empty.ts', '--json'], { cwd: project.folder });
  expect(ended).toMatchObject({ code: 2, stderr: matching(/exports nothing to serve\. Export `tools`/) });
  expect(documentOf(ended)).toMatchObject({ error: { type: 'Holdpoint.Command.InvalidFile' } });
});

test('without the packages for MCP it says what to install', async () => {
  project.write(
    'without.cjs',
    `const Module = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (name, ...more) => {
      if (!name.startsWith('@modelcontextprotocol/')) return resolve(name, ...more);
      throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: 'MODULE_NOT_FOUND' });
    };`,
  );
  for (const command of [
    ['mcp', 'tools.ts'],
    ['serve', '--port', '0', '--mcp', 'tools.ts'],
  ]) {
    const ended = await holdpoint(command, {
      cwd: project.folder,
      env: { NODE_OPTIONS: '--require ./without.cjs', TEMPORAL_ADDRESS: testServer().address },
    });
    expect(ended).toMatchObject({
      code: 2,
      stderr: matching(/npm install @modelcontextprotocol\/server @modelcontextprotocol\/client/),
    });
  }
});

test.each([
  ['tools that are none', { tools: [{ name: 'greet' }] }, /`tools` of f\.ts is not an array of bound tools/],
  ['agents without a description', { mcpAgents: [{ agent: 'desk' }] }, /`mcpAgents` of f\.ts/],
  ['agents that are none', { agents: [1] }, /not an array of agents/],
])('%s are refused', (_, module, message) => {
  expect(() => readMcpFile(module, 'f.ts')).toThrow(
    holdpointError('Holdpoint.Command.InvalidFile', message, { file: 'f.ts' }),
  );
});
