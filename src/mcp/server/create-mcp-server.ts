import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { HoldpointError } from '../../agent/errors';
import { toolNameWarning } from '../tool-name';
import { buildServer } from './build-server';
import type { McpPrincipal, McpServerOptions } from './options';
import { ownSigningKey, requestStates } from './request-state';

/** Typed tools, served over MCP. */
export interface McpServing {
  /** Serves one HTTP request: mount it where your server takes `/mcp`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Serves this process's standard input and output until the client closes them. */
  readonly stdio: () => { close(): Promise<void> };
  /** Tells the clients that listen that a list is no longer what they read. */
  readonly notify: Pick<ServerNotifier, 'toolsChanged' | 'promptsChanged' | 'resourcesChanged'>;
  /** Cancels what is running and closes every stream. */
  readonly close: () => Promise<void>;
}

const DEFAULT_STATE_TTL_SECONDS = 3_600;

/**
 * Serves typed tools to MCP clients of revision 2026-07-28 and older ones, over streamable HTTP and stdio.
 *
 * ```ts
 * const server = createMcpServer({ name: 'greetings', version: '1.0.0', tools: [greetTool] });
 * Bun.serve({ fetch: server.fetch }); // or `listen(server)` of holdpoint/http, or server.stdio()
 * ```
 *
 * @throws HoldpointError `Holdpoint.Tool.Clash` for two tools of one name.
 */
export function createMcpServer<Context = undefined>(options: McpServerOptions<Context>): McpServing {
  refuseClashes(options);
  const own = [ownSigningKey()];
  const states = requestStates(
    options.stateKeys ?? (() => own),
    options.stateTtlSeconds ?? DEFAULT_STATE_TTL_SECONDS,
  );
  const hosts = [...(options.allowedHosts ?? localhostAllowedHostnames())];
  const origins = [...(options.allowedOrigins ?? localhostAllowedOrigins())];
  const onerror = (error: Error): void => options.onError?.(error);
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) => {
      const principal = authInfo?.extra?.['principal'] as McpPrincipal | undefined;
      return buildServer(options, states, { principal, headers: requestInfo?.headers });
    },
    { onerror },
  );
  return {
    fetch: async (request) => {
      const refused =
        hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins);
      if (refused) return refused;
      if (!options.auth) return handler.fetch(request);
      const principal = await options.auth(request.headers);
      if (!principal) return unauthorized();
      return handler.fetch(request, {
        authInfo: { token: '', clientId: principal.id, scopes: [], extra: { principal } },
      });
    },
    stdio: () =>
      serveStdio(() => buildServer(options, states, { principal: undefined, headers: undefined }), {
        onerror,
      }),
    notify: handler.notify,
    close: () => handler.close(),
  };
}

function unauthorized(): Response {
  return Response.json(
    { error: 'invalid_token', error_description: 'Send `Authorization: Bearer <credential>`.' },
    { status: 401, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } },
  );
}

function refuseClashes<Context>({ tools, onError }: McpServerOptions<Context>): void {
  const names = tools.map(({ definition }) => definition.name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new HoldpointError('Holdpoint.Tool.Clash', `Two tools are called ${twice}. Rename one.`, {
      name: twice,
    });
  for (const warning of names.map(toolNameWarning)) if (warning !== undefined) onError?.(new Error(warning));
}
