/** The client that the referee starts: `client.ts <url>`, with the scenario's name in the environment. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Json, JsonObject } from '../../../src/agent/json';
import { isRecord } from '../../../src/agent/json';
import { connectMcp, type McpConnection } from '../../../src/mcp/client/connection';

const url = process.argv.at(-1) ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';

/** The referee's servers of single scenarios do not say what they are; the rest is theirs. */
async function withDiscovery(target: string | URL, init?: RequestInit): Promise<Response> {
  const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
  if (!isRecord(body) || body['method'] !== 'server/discover') return fetch(target, init);
  return Response.json({
    jsonrpc: '2.0',
    id: body['id'],
    result: {
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, prompts: {} },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'referee', version: '1' } },
    },
  });
}

/** Calls a tool and answers whatever it asks, as a person who agrees would. */
async function call(connection: McpConnection, tool: string, args: JsonObject): Promise<void> {
  let outcome = await connection.request(tool, args);
  while (outcome.kind === 'input') {
    const { requests, requestState } = outcome;
    const accepted = Object.keys(requests).map((key): [string, Json] => [
      key,
      { action: 'accept', content: { confirmed: true } },
    ]);
    outcome = await connection.request(tool, args, {
      inputResponses: Object.fromEntries(accepted),
      ...(requestState !== undefined && { requestState }),
    });
  }
}

interface WantedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The calls that the scenario wants; undefined where it wants every tool called. */
function wantedCalls(): readonly WantedCall[] | undefined {
  if (scenario === 'tools_call') return [{ name: 'add_numbers', arguments: { a: 5, b: 3 } }];
  const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as { toolCalls?: WantedCall[] };
  return context.toolCalls;
}

async function main(): Promise<void> {
  const needsDiscovery = scenario !== 'request-metadata';
  const connection = await connectMcp({
    transport: () =>
      new StreamableHTTPClientTransport(new URL(url), needsDiscovery ? { fetch: withDiscovery } : {}),
    capabilities: { elicitation: {} },
  });
  const tools = await connection.list();
  for (const { name, arguments: args } of wantedCalls() ?? tools.map((tool) => ({ ...tool, arguments: {} })))
    // A result that breaks the protocol is refused, and that is what is looked at.
    await call(connection, name, args).catch((error: unknown) => console.error(name, error));
  await connection.close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
