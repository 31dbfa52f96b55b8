import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  fromJsonSchema,
  inputRequired,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequests as WireInputRequests,
  type jsonSchemaValidator,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { cutText } from '../../agent/cut-text';
import { isRecord, type Json } from '../../agent/json';
import { visible } from '../../agent/visible-text';
import type { ClientInfo } from '../call';
import { inputMethodName, type InputRequests } from '../input-request';
import type { McpPrincipal, McpServerOptions } from './options';
import { serveCall, type CallRules, type ServedTool } from './serve-call';
import { toWireTool } from './wire-tool';

/** Who is served, as far as the transport tells. */
export interface Caller {
  readonly principal: McpPrincipal | undefined;
}

/** What servers are built from. */
export type ServerParts = Pick<
  McpServerOptions<never>,
  'name' | 'version' | 'title' | 'instructions' | 'setUp'
> & {
  readonly tools: readonly ServedTool[];
  /** Those of `tools` of whose arguments HTTP mirrors some in headers. */
  readonly mirrored: readonly ServedTool[];
  readonly rules: CallRules;
};

/** No tool has a longer one. */
const MAX_SHOWN_NAME = 128;

/** The server of the MCP SDK for one connection or one request, with our tools on it. */
export function buildServer(parts: ServerParts, { principal }: Caller): McpServer {
  const { name, version, title, instructions, setUp, tools, mirrored, rules } = parts;
  const mcp = new McpServer(
    { name, version, ...(title !== undefined && { title }) },
    {
      capabilities: { tools: { listChanged: true } },
      ...(instructions !== undefined && { instructions }),
    },
  );
  setUp?.(mcp);
  registerForHeaders(mcp, mirrored);
  const { server } = mcp;
  const declared = tools.map(({ declaration }) => toWireTool(declaration));
  server.setRequestHandler('tools/list', async () => ({ tools: declared }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const at = tools.findIndex(({ declaration }) => declaration.name === params.name);
    const tool = tools[at];
    if (!tool) {
      const name = visible(cutText(params.name, MAX_SHOWN_NAME));
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    }
    const { mcpReq, http } = ctx;
    const token = mcpReq._meta?.progressToken;
    const served = await serveCall(
      tool,
      {
        arguments: (params.arguments ?? {}) as Json,
        principal,
        headers: http?.req?.headers,
        isPastAsking: http !== undefined && mcpReq.envelope === undefined,
        requestId: mcpReq.id,
        meta: mcpReq._meta,
        clientInfo: clientInfoOf(mcp, ctx),
        capabilities: envelopeOf(ctx)[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities(),
        requestState: mcpReq.requestState<string>(),
        inputResponses: mcpReq.inputResponses,
        signal: mcpReq.signal,
        ...(token !== undefined && {
          sendProgress: (report) =>
            mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, ...report } }),
        }),
      },
      rules,
    );
    if (served.kind === 'input')
      return inputRequired({ inputRequests: toWire(served.requests), requestState: served.requestState });
    return server.projectCallToolResult(served.result as CallToolResult, declared[at]?.outputSchema);
  });
  return mcp;
}

/**
 * Tells the SDK these input schemas: it compares the headers that mirror arguments with the body. Listing and calling are
 * ours. It is told no others, as it prints a warning about a name with "/" each time.
 */
function registerForHeaders(mcp: McpServer, tools: readonly ServedTool[]): void {
  const anything = {
    getValidator: () => (input: unknown) => ({ valid: true, data: input, errorMessage: undefined }),
  };
  for (const { declaration } of tools)
    mcp.registerTool(
      declaration.name,
      { inputSchema: fromJsonSchema(declaration.inputSchema, anything as jsonSchemaValidator) },
      () => {
        throw new Error('Calls are served by our own handler.');
      },
    );
}

/** Whether a schema has HTTP mirror an argument in a header. */
export function mirrorsArguments({ declaration }: ServedTool): boolean {
  return JSON.stringify(declaration.inputSchema).includes('"x-mcp-header"');
}

/** What the client says of itself in each request; older clients say it once, to the server. */
function envelopeOf({ mcpReq }: ServerContext): Readonly<Record<string, unknown>> {
  return mcpReq.envelope ?? {};
}

function clientInfoOf({ server }: McpServer, ctx: ServerContext): ClientInfo | undefined {
  const info = envelopeOf(ctx)[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  if (!isRecord(info) || typeof info['name'] !== 'string' || typeof info['version'] !== 'string')
    return undefined;
  return { name: info['name'], version: info['version'] };
}

function toWire(requests: InputRequests): WireInputRequests {
  return Object.fromEntries(
    Object.entries(requests).map(([key, { method, params }]) => [
      key,
      { method: inputMethodName(method), params },
    ]),
  ) as WireInputRequests;
}
