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
import { isRecord, type Json } from '../../agent/json';
import type { BoundTool } from '../bound-tool';
import type { ClientInfo } from '../call';
import { declaration } from '../declaration';
import { inputMethodName, type InputRequests } from '../input-request';
import type { McpPrincipal, McpServerOptions } from './options';
import type { RequestStates } from './request-state';
import { serveCall } from './serve-call';
import { toWireTool } from './wire-tool';

/** The server of the MCP SDK for one connection or one request, with our tools on it. */
export function buildServer<Context>(
  options: McpServerOptions<Context>,
  states: RequestStates,
  caller: { readonly principal: McpPrincipal | undefined; readonly headers: Headers | undefined },
): McpServer {
  const { name, version, title, instructions, tools, setUp, onError } = options;
  const mcp = new McpServer(
    { name, version, ...(title !== undefined && { title }) },
    { capabilities: { tools: { listChanged: true } }, ...(instructions !== undefined && { instructions }) },
  );
  setUp?.(mcp);
  registerForHeaders(mcp, tools);
  const { server } = mcp;
  const declared = tools.map(({ definition }) => toWireTool(declaration(definition)));
  server.setRequestHandler('tools/list', async () => ({ tools: declared }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const at = tools.findIndex(({ definition }) => definition.name === params.name);
    const tool = tools[at];
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    const { mcpReq, http } = ctx;
    const token = mcpReq._meta?.progressToken;
    const served = await serveCall(
      {
        tool,
        arguments: (params.arguments ?? {}) as Json,
        principal: caller.principal?.id ?? '',
        context: (await options.context?.(caller)) as Context,
        requestId: mcpReq.id,
        meta: mcpReq._meta,
        clientInfo: clientInfoOf(mcp, ctx),
        capabilities: envelopeOf(ctx)[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities(),
        correlationHeader: http?.req?.headers.get('x-correlation-id') ?? undefined,
        requestState: mcpReq.requestState<string>(),
        inputResponses: mcpReq.inputResponses,
        signal: mcpReq.signal,
        ...(token !== undefined && {
          sendProgress: (report) =>
            mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, ...report } }),
        }),
      },
      {
        states,
        report: (failure) => onError?.(failure),
        ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
        ...(options.graceMs !== undefined && { graceMs: options.graceMs }),
      },
    );
    if (served.kind === 'input')
      return inputRequired({ inputRequests: toWire(served.requests), requestState: served.requestState });
    return server.projectCallToolResult(served.result as CallToolResult, declared[at]?.outputSchema);
  });
  return mcp;
}

/**
 * Tells the SDK the input schemas: it compares the headers that mirror arguments (`x-mcp-header`) with the body.
 * Listing and calling are ours.
 */
function registerForHeaders(mcp: McpServer, tools: readonly BoundTool<never>[]): void {
  const anything = {
    getValidator: () => (input: unknown) => ({ valid: true, data: input, errorMessage: undefined }),
  };
  for (const { definition } of tools)
    mcp.registerTool(
      definition.name,
      { inputSchema: fromJsonSchema(declaration(definition).inputSchema, anything as jsonSchemaValidator) },
      () => {
        throw new Error('Calls are served by our own handler.');
      },
    );
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
