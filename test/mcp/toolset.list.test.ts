import type { JsonObject } from '../../src/agent/json';
import { remoteToolName } from '../../src/mcp/client/safe-name';
import { mcpTools, type McpToolset, type McpToolsOptions } from '../../src/mcp/run/mcp-tools';
import { defineAgent } from '../../src/tools';
import { in2026, rawServer, type Handle } from './raw-server';

const opened: McpToolset[] = [];
afterEach(async () => {
  for (const toolset of opened.splice(0)) await toolset.close();
});

async function toolsetOf(handle: Handle, options: Partial<McpToolsOptions> = {}): Promise<McpToolset> {
  const toolset = await mcpTools({ name: 'raw', transport: rawServer(handle), ...options });
  opened.push(toolset);
  return toolset;
}

const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
});

/** Lists these tools, in pages of so many. */
function listing(tools: readonly JsonObject[], size = tools.length): Handle {
  return ({ method, params }) => {
    if (method !== 'tools/list') return undefined;
    const from = Number(params['cursor'] ?? 0);
    const next = from + size;
    return {
      tools: tools.slice(from, next),
      ...(next < tools.length && { nextCursor: String(next) }),
    };
  };
}

const text = (said: string): JsonObject => ({ content: [{ type: 'text', text: said }] });

test.each([1_000, 50])('a thousand tools are an agent’s, listed in pages of %s', async (size) => {
  const all = Array.from({ length: 1_000 }, (_, n) => tool(`act.${n}`));
  const { tools } = await toolsetOf(listing(all, size));
  expect(tools.map(({ name }) => remoteToolName('raw', name))).toEqual(all.map(({ name }) => name));
});

test.each<[string, Handle]>([
  [
    'the same page',
    ({ method }) => (method === 'tools/list' ? { tools: [tool('act')], nextCursor: 'more' } : undefined),
  ],
  ['one of two pages', inTurns()],
])('a list that leads to %s again and again comes to an end', async (_what, handle) => {
  const listed = toolsetOf(handle).then(
    ({ tools }) => tools.map(({ name }) => name),
    (error: unknown) => error,
  );
  const outcome = await listed;
  if (Array.isArray(outcome)) expect(outcome).toEqual(['raw__act']);
  else expect(outcome).toMatchObject({ type: 'Holdpoint.Tool.ServerUnreachable' });
});

function inTurns(): Handle {
  return ({ method, params }) => {
    if (method !== 'tools/list') return undefined;
    const other = params['cursor'] === 'b' ? 'a' : 'b';
    return { tools: [tool(`act-${other}`)], nextCursor: other };
  };
}

test('a server that lists one name twice is refused, and both names are told', async () => {
  await expect(toolsetOf(listing([tool('act'), tool('act')]))).rejects.toMatchObject({
    type: 'Holdpoint.Tool.Clash',
    message: expect.stringContaining('the MCP server raw clash: raw__act') as string,
  });
});

test('names that would be one after being made safe stay two', async () => {
  const names = ['read file', 'read_x20_file', 'read.file', 'read/file', 'read_file'];
  const { tools } = await toolsetOf(listing(names.map((name) => tool(name))));
  expect(new Set(tools.map(({ name }) => name)).size).toBe(names.length);
  expect(tools.map(({ name }) => remoteToolName('raw', name))).toEqual(names);
});

test('two servers of one name are refused where an agent would have both', async () => {
  const [one, other] = [await toolsetOf(listing([tool('act')])), await toolsetOf(listing([tool('act')]))];
  const both = [...one.tools, ...other.tools];
  expect(() => defineAgent({ name: 'desk', model: 'm', tools: both })).toThrow(/raw__act/);
});

test('a name in `include` that the server does not list is told, and the others are taken', async () => {
  const toolset = await toolsetOf(listing([tool('read'), tool('write')]), { include: ['read', 'raed'] });
  expect(toolset.tools.map(({ name }) => name)).toEqual(['raw__read']);
  expect(toolset.skipped).toEqual([{ name: 'raed', reason: 'The server lists no tool of this name.' }]);
});

test('an agent’s tools do not change when the server’s do, and what is no more there the server refuses', async () => {
  let list = [tool('act'), tool('look')];
  const { tools } = await toolsetOf((request, server) => {
    const { method, params } = request;
    if (method === 'tools/list') return listing(list)(request, server);
    if (method !== 'tools/call') return undefined;
    if (list.every(({ name }) => name !== params['name'])) {
      server.send({ id: request.id, error: { code: -32602, message: 'Unknown tool' } });
      return 'handled';
    }
    list = [tool('look', { outputSchema: { type: 'object', required: ['a'] } })];
    server.send({ method: 'notifications/tools/list_changed' });
    return text('done');
  });
  const [act, look] = tools;
  expect(await act?.call?.({})).toMatchObject({ output: 'done', isError: false });
  expect(await act?.call?.({})).toMatchObject({
    isError: true,
    output: expect.stringContaining('Unknown tool') as string,
  });
  expect(await look?.call?.({})).toMatchObject({ output: 'done', isError: false });
  expect(tools).toHaveLength(2);
});

test.each<[string, JsonObject]>([
  ['has a remote `$ref`', { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } }],
  ['has a `$ref` to nothing', { type: 'object', $ref: '#/$defs/nothing' }],
  ['is of a draft that nobody knows', { $schema: 'https://example.com/draft', type: 'object' }],
  ['is a tangle', { type: 'object', $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }],
])(
  'a result whose output schema %s is taken as it is, and nothing is fetched',
  async (_what, outputSchema) => {
    const fetched = jest.spyOn(globalThis, 'fetch');
    const { tools } = await toolsetOf((request, server) =>
      request.method === 'tools/call'
        ? { ...text('done'), structuredContent: { a: 1 } }
        : listing([tool('act', { outputSchema })])(request, server),
    );
    expect(await tools[0]?.call?.({})).toMatchObject({ output: 'done', isError: false });
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  },
);

test.each<[string, JsonObject]>([
  ['of an unknown type', { resultType: 'task', task: { taskId: 't' } }],
  ['without a type', text('done')],
  ['that asks for nothing', { resultType: 'input_required' }],
  [
    'that asks by an unknown method',
    { resultType: 'input_required', inputRequests: { a: { method: 'x/y' } } },
  ],
])('a result %s is told as one that cannot be used', async (_what, result) => {
  const { tools } = await toolsetOf(in2026(({ method }) => (method === 'tools/call' ? result : undefined)));
  expect(await tools[0]?.call?.({})).toMatchObject({
    isError: true,
    output: expect.stringMatching(/act .*(cannot|no result that can) be used/) as string,
  });
});
