import { InMemoryTransport, type Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { isRecord, type JsonObject } from '../../src/agent/json';
import type { ToolContext, ToolResult } from '../../src/agent/tool';
import { handle, handleCall, type BoundTool } from '../../src/mcp/bound-tool';
import { define, defineContent } from '../../src/mcp/definition';
import { complete } from '../../src/mcp/reply';
import { failed, ok } from '../../src/mcp/result';
import { mcpTools, type McpToolsOptions, type McpToolset } from '../../src/mcp/run/mcp-tools';
import { createMcpServer } from '../../src/mcp/server/create-mcp-server';
import { withDestructiveHint, withInputSchema, withReadOnlyHint } from '../../src/mcp/setters';
import { directTransport } from './linked';

const echo = define('echo', z.object({ text: z.string() }), z.object({ text: z.string() }));
const opened: McpToolset[] = [];
afterEach(async () => {
  for (const toolset of opened.splice(0)) await toolset.close();
});

async function toolsOf(tools: BoundTool[], options: Partial<McpToolsOptions> = {}): Promise<McpToolset> {
  const serving = createMcpServer({ name: 'remote', version: '1', tools });
  const toolset = await mcpTools({ name: 'remote', transport: directTransport(serving), ...options });
  opened.push(toolset);
  return toolset;
}

async function call(
  { tools }: McpToolset,
  args: JsonObject = {},
  ctx: Partial<ToolContext> = {},
): Promise<ToolResult> {
  const [tool] = tools;
  if (!tool?.call) throw new Error('no tool');
  return tool.call(args, ctx);
}

test('a server’s tool is an agent’s, with the structured value kept', async () => {
  const toolset = await toolsOf([handle(echo, ({ text }) => ok({ text }))]);
  expect(toolset.tools).toMatchObject([{ name: 'remote__echo', source: 'mcp', hints: {} }]);
  expect(await call(toolset, { text: 'hi' })).toEqual({
    output: '{"text":"hi"}',
    isError: false,
    metadata: { structuredContent: { text: 'hi' } },
  });
});

test('arguments are checked here, before anything is sent', async () => {
  let ran = false;
  const toolset = await toolsOf([
    handle(echo, () => {
      ran = true;
      return ok({ text: '' });
    }),
  ]);
  expect(await call(toolset, { text: 7 })).toMatchObject({ isError: true });
  expect(ran).toBe(false);
});

test('what is no text is named with its size', async () => {
  const look = defineContent('look', z.object({}));
  const toolset = await toolsOf([
    handle(look, () =>
      ok([
        { type: 'text', text: 'seen' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'test://a', text: 'inside' } },
        { type: 'resource_link', uri: 'test://b', name: 'b' },
      ]),
    ),
  ]);
  expect((await call(toolset)).output).toBe(
    'seen\n[image image/png, 3 bytes, not shown]\ninside\n[b](test://b)',
  );
});

test('an error of the tool is an error for the model', async () => {
  const toolset = await toolsOf([handle(echo, () => failed('private'))]);
  expect(await call(toolset, { text: '' })).toEqual({ output: 'Tool execution failed.', isError: true });
});

test('only what is included is taken, by name or by a function', async () => {
  const tools = [
    handle(echo, ({ text }) => ok({ text })),
    handle(define('other', z.object({}), z.null()), () => ok(null)),
  ];
  expect((await toolsOf(tools, { include: ['other'] })).tools.map(({ name }) => name)).toEqual([
    'remote__other',
  ]);
  const byFunction = await toolsOf(tools, { include: ({ name }) => name === 'echo' });
  expect(byFunction.tools.map(({ name }) => name)).toEqual(['remote__echo']);
});

test('annotations are believed only when told so', async () => {
  const tools = [
    handle(withDestructiveHint(withReadOnlyHint(echo, true), false), ({ text }) => ok({ text })),
  ];
  expect((await toolsOf(tools)).tools[0]?.hints).toEqual({});
  expect((await toolsOf(tools, { trustAnnotations: true })).tools[0]?.hints).toEqual({
    readOnly: true,
    destructive: false,
  });
});

test('a tool whose schema cannot be checked is left out, and the others stay', async () => {
  const broken = withInputSchema(define('broken', z.object({}), z.null()), {
    type: 'object',
    properties: { a: { $ref: 'https://example.com/schema.json' } },
  });
  const toolset = await toolsOf([handle(broken, () => ok(null)), handle(echo, ({ text }) => ok({ text }))]);
  expect(toolset.tools.map(({ name }) => name)).toEqual(['remote__echo']);
  expect(toolset.skipped).toEqual([{ name: 'broken', reason: expect.any(String) as string }]);
});

test('the key and the run go with the call, and progress comes back', async () => {
  const seen: JsonObject[] = [];
  const tool = handleCall(echo, ({ idempotencyKey = '', correlation, reportProgress }, { text }) => {
    seen.push({ idempotencyKey, correlation });
    reportProgress(1, 2);
    return ok(complete({ text }));
  });
  const progress: unknown[] = [];
  await call(
    await toolsOf([tool]),
    { text: '' },
    {
      idempotencyKey: 'k-1',
      runId: 'r-1',
      reportProgress: (...told) => progress.push(told),
    },
  );
  expect(seen).toEqual([{ idempotencyKey: 'k-1', correlation: 'r-1' }]);
  expect(progress).toEqual([[1, 2, undefined]]);
});

test('credentials are read for each request, where it is made', async () => {
  const seen: (string | null)[] = [];
  let n = 0;
  const serving = createMcpServer({
    name: 'remote',
    version: '1',
    tools: [handle(echo, ({ text }) => ok({ text }))],
    auth: async (headers) => {
      seen.push(headers.get('authorization'));
      return { id: 'a' };
    },
  });
  const transport = directTransport(serving, () => ({ authorization: `Bearer ${(n += 1)}` }));
  const toolset = await mcpTools({ name: 'remote', transport });
  opened.push(toolset);
  await call(toolset, { text: '' });
  expect(seen.length).toBeGreaterThan(2);
  expect(new Set(seen).size).toBe(seen.length);
});

test('a server that cannot be reached is told by its name', async () => {
  const unreachable = mcpTools({
    name: 'nobody',
    transport: { type: 'http', url: 'http://127.0.0.1:9/mcp' },
  });
  await expect(unreachable).rejects.toMatchObject({
    type: 'Holdpoint.Tool.ServerUnreachable',
    message: expect.stringContaining('MCP server nobody') as string,
  });
  const missing = mcpTools({
    name: 'nothing',
    transport: { type: 'stdio', command: 'no-such-command-here' },
  });
  await expect(missing).rejects.toMatchObject({ type: 'Holdpoint.Tool.ServerUnreachable' });
});

/** A server of the earlier handshake, of which each answer to `tools/call` is the test's. */
function rawServer(answer: (id: string | number, transport: Transport) => void): () => Transport {
  return () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    theirs.onmessage = (message) => {
      if (!('method' in message) || !('id' in message) || message.id === undefined) return;
      const { id, method } = message;
      const reply = (result: JsonObject): void => void theirs.send({ jsonrpc: '2.0', id, result } as never);
      if (method === 'initialize')
        reply({
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'raw', version: '1' },
        });
      else if (method === 'tools/list') reply({ tools: [{ name: 'act', inputSchema: { type: 'object' } }] });
      else if (method === 'tools/call') answer(id, theirs);
      else
        void theirs.send({
          jsonrpc: '2.0',
          id,
          error: { code: -32601, message: 'Method not found' },
        } as never);
    };
    void theirs.start();
    return ours;
  };
}

async function act(
  answer: Parameters<typeof rawServer>[0],
  options: Partial<McpToolsOptions> = {},
): Promise<unknown> {
  const toolset = await mcpTools({ name: 'raw', transport: rawServer(answer), ...options });
  opened.push(toolset);
  const execute = toolset.tools[0]?.execute;
  if (!execute) throw new Error('no tool');
  const ctx = { signal: new AbortController().signal, reportProgress: () => undefined, callId: 'c' };
  return execute({}, ctx as never).catch((error: unknown) => (isRecord(error) ? error['type'] : error));
}

test('a server of an earlier revision is offered to ask nothing', async () => {
  const offered: unknown[] = [];
  const asked = rawServer((id, server) => void server.send({ jsonrpc: '2.0', id, result: { content: [] } }));
  const transport = (): Transport => {
    const ours = asked();
    const send = ours.send.bind(ours);
    ours.send = (message, options) => {
      if ('method' in message && message.method === 'initialize')
        offered.push(message.params?.['capabilities']);
      return send(message, options);
    };
    return ours;
  };
  const toolset = await mcpTools({ name: 'raw', transport });
  opened.push(toolset);
  await call(toolset);
  expect(offered.at(-1)).toEqual({});
});

test('a server that refuses says why', async () => {
  const refused = await act(
    (id, server) =>
      void server.send({ jsonrpc: '2.0', id, error: { code: -32602, message: 'No such thing' } }),
  );
  expect(refused).toMatchObject({
    isError: true,
    output: expect.stringContaining('No such thing') as string,
  });
});

test.each<[string, Parameters<typeof rawServer>[0], Partial<McpToolsOptions>]>([
  ['dies in the middle of a call', (_id, server) => void server.close(), {}],
  ['hangs', () => undefined, { timeoutMs: 20 }],
])('of a server that %s nobody knows what it did', async (_what, answer, options) => {
  expect(await act(answer, options)).toBe('Holdpoint.Tool.OutcomeUnknown');
});

test.each<[string, JsonObject]>([
  ['no content at all', {}],
  ['content that is none', { content: 'text' }],
  ['a structured value alone', { structuredContent: { a: 1 } }],
])('a result with %s is no crash', async (_what, result) => {
  const outcome = await act((id, server) => void server.send({ jsonrpc: '2.0', id, result } as never));
  expect(outcome).toMatchObject({ output: expect.any(String) as string });
});

test('a result that is too large is told as one', async () => {
  const text = 'x'.repeat(10 * 1024 * 1024);
  const outcome = await act(
    (id, server) => void server.send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }),
  );
  expect(outcome).toMatchObject({ output: text });
});

test('after a lost connection the next call makes a new one', async () => {
  let calls = 0;
  const transport = rawServer((id, server) => {
    calls += 1;
    if (calls === 1) void server.close();
    else void server.send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'back' }] } });
  });
  const toolset = await mcpTools({ name: 'raw', transport });
  opened.push(toolset);
  expect(await call(toolset)).toMatchObject({ isError: true });
  expect(await call(toolset)).toMatchObject({ output: 'back', isError: false });
});
