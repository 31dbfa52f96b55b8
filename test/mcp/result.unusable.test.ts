import type { Json, JsonObject } from '../../src/agent/json';
import { mcpTools } from '../../src/mcp/run/mcp-tools';
import { rawServer } from './raw-server';

/** What an agent is told of a server's result. */
async function told(result: JsonObject) {
  const toolset = await mcpTools({
    name: 'raw',
    transport: rawServer(({ method }) => (method === 'tools/call' ? result : undefined)),
  });
  const ctx = { signal: new AbortController().signal, reportProgress: () => undefined, callId: 'c' };
  const outcome = await toolset.tools[0]?.execute?.({}, ctx as never);
  await toolset.close();
  return { output: outcome?.output ?? '', isError: outcome?.isError };
}

test('a value nested more deeply than can be written is told as one, and not as a lost call', async () => {
  let deep: Json = 1;
  for (let n = 0; n < 100_000; n += 1) deep = [deep];
  const { output, isError } = await told({ content: [], structuredContent: { deep } });
  expect(output).toMatch(/^act ran on the MCP server raw, but .* cannot be written as JSON/);
  expect(isError).toBe(true);
});

test('what is wrong with a result is told in few words', async () => {
  const { output, isError } = await told({ content: Array.from({ length: 100 }, () => ({ type: 'image' })) });
  expect(output).toMatch(/^act on the MCP server raw gave no result that can be used: Invalid/);
  expect(output.length).toBeLessThan(1_200);
  expect(isError).toBe(true);
});

test('why a tool is left out is told in few words', async () => {
  const inputSchema = { type: 'object', properties: { a: { pattern: '('.repeat(100_000) } } };
  const toolset = await mcpTools({
    name: 'raw',
    transport: rawServer(({ method }) =>
      method === 'tools/list' ? { tools: [{ name: 'act', inputSchema }] } : undefined,
    ),
  });
  await toolset.close();
  expect(toolset.skipped[0]?.reason).toMatch(/Invalid regular expression/);
  expect(toolset.skipped[0]?.reason.length).toBeLessThan(1_200);
});
