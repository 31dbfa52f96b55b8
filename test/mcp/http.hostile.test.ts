import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isRecord, parseJson, type JsonObject } from '../../src/agent/json';
import { mcpTools, type McpToolset } from '../../src/mcp/run/mcp-tools';

type Answer = (id: unknown, response: ServerResponse, request: IncomingMessage) => void;

const servers: Server[] = [];
const toolsets: McpToolset[] = [];
afterEach(async () => {
  for (const toolset of toolsets.splice(0)) await toolset.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server of an earlier revision with sessions, of which each answer to `tools/call` is the test's. */
async function toolOf(answer: Answer): Promise<() => Promise<unknown>> {
  let sessions = 0;
  const server = createServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const message = parseJson(await text(request));
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (!isRecord(message) || message['id'] === undefined) return void response.writeHead(202).end();
    const { id, method } = message;
    const reply = (content: JsonObject): void => {
      response.writeHead(200, {
        'content-type': 'application/json',
        ...(method === 'initialize' && { 'mcp-session-id': `s${(sessions += 1)}` }),
      });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...content }));
    };
    if (method === 'tools/call') answer(id, response, request);
    else if (method === 'initialize')
      reply({
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'raw', version: '1' },
        },
      });
    else if (method === 'tools/list')
      reply({ result: { tools: [{ name: 'act', inputSchema: { type: 'object' } }] } });
    else reply({ error: { code: -32601, message: 'Method not found' } });
  };
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const toolset = await mcpTools({
    name: 'raw',
    transport: { type: 'http', url: `http://127.0.0.1:${port}/mcp` },
    timeoutMs: 2_000,
  });
  toolsets.push(toolset);
  const execute = toolset.tools[0]?.execute;
  if (!execute) throw new Error('no tool');
  const ctx = { signal: new AbortController().signal, reportProgress: () => undefined, callId: 'c' };
  return async () => execute({}, ctx as never);
}

const done = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } });

test('R33: a server that has forgotten the session has done nothing, and the next call begins a new one', async () => {
  const seen: unknown[] = [];
  const call = await toolOf((id, response, { headers }) => {
    seen.push(headers['mcp-session-id']);
    if (seen.length === 1) response.writeHead(404).end('Session not found');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(done(id));
  });
  await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.NotStarted' });
  expect(await call()).toMatchObject({ output: 'done', isError: false });
  expect(seen).toEqual(['s1', 's2']);
});

test('an event without an end is cut off before it fills the memory', async () => {
  let sent = 0;
  const call = await toolOf((_id, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: ');
    const chunk = 'x'.repeat(1024 * 1024);
    const more = (): void => {
      if (response.destroyed || sent >= 256) return;
      sent += 1;
      response.write(chunk, more);
    };
    more();
  });
  await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.OutcomeUnknown' });
  expect(sent).toBeLessThan(64);
});

test.each(['\n', '\r\n', '\r'])(
  'a long stream of events is none that is too large (lines end in %j)',
  async (end) => {
    const call = await toolOf((id, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const comment = `: ${'x'.repeat(1024 * 1024)}${end}${end}`;
      for (let n = 0; n < 12; n += 1) response.write(comment);
      response.end(`data: ${done(id)}\n\n`);
    });
    expect(await call()).toMatchObject({ output: 'done', isError: false });
  },
);

test('what a failed server says at length is cut', async () => {
  const call = await toolOf((_id, response) => {
    response.writeHead(500).end('x'.repeat(1024 * 1024));
  });
  const failure: unknown = await call().catch((error: unknown) => error);
  expect(failure).toMatchObject({ type: 'Holdpoint.Tool.OutcomeUnknown' });
  expect(String(failure).length).toBeLessThan(1_500);
});

test('R33: a server that takes no connections was sent nothing', async () => {
  const call = await toolOf((id, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(done(id));
  });
  await call();
  for (const server of servers) {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
  // What went by the connection that was there may have arrived.
  await call().catch(() => undefined);
  await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.NotStarted' });
});

test('R33: of a server that takes a call and cuts the connection nobody knows what it did', async () => {
  const call = await toolOf((_id, _response, request) => {
    request.socket.destroy();
  });
  await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.OutcomeUnknown' });
});
