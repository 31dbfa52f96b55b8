import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { handle, handleCall } from '../../src/mcp/bound-tool';
import { define } from '../../src/mcp/definition';
import { complete, requestInput } from '../../src/mcp/reply';
import { ok } from '../../src/mcp/result';
import { createMcpServer } from '../../src/mcp/server/create-mcp-server';
import { directTransport } from './linked';
import { form } from './asking-tool';

const greet = define('greet', z.object({ name: z.string() }), z.string());
const ask = define('ask', z.object({}), z.string());
const serving = createMcpServer({
  name: 'test',
  version: '1',
  tools: [
    handle(greet, ({ name }) => ok(`Hello, ${name}!`)),
    handleCall(ask, ({ inputResponses }) =>
      ok('seat' in inputResponses ? complete('done') : requestInput({ seat: form })),
    ),
  ],
});

/** A client that knows only the handshake of earlier revisions. */
async function legacyClient(): Promise<Client> {
  const client = new Client({ name: 'old', version: '1' }, { capabilities: { elicitation: {} } });
  await client.connect(directTransport(serving)());
  expect(client.getProtocolEra()).toBe('legacy');
  return client;
}

test('a client of an earlier revision lists and calls tools', async () => {
  const client = await legacyClient();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['greet', 'ask']);
  expect(await client.callTool({ name: 'greet', arguments: { name: 'Ada' } })).toMatchObject({
    content: [{ type: 'text', text: 'Hello, Ada!' }],
  });
});

test('what cannot be asked of it over one request is an error that says so, not a call that hangs', async () => {
  const client = await legacyClient();
  await expect(client.callTool({ name: 'ask', arguments: {} })).rejects.toThrow(
    /declares elicitation.*before 2026-07-28.*over HTTP/,
  );
});

test('over standard input and output it is asked in the middle of the call', async () => {
  const client = new Client({ name: 'old', version: '1' }, { capabilities: { elicitation: {} } });
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { seat: '4a' } };
  });
  const args = ['--import', 'tsx', join(__dirname, 'asking-server.ts')];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  const result = await client.callTool({ name: 'book', arguments: {} }).finally(() => client.close());
  expect(asked).toEqual(['Which seat?']);
  expect(JSON.stringify(result)).toContain('4a');
});
