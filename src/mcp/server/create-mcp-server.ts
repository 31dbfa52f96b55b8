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
import { buildServer, mirrorsArguments, type ServerParts } from './build-server';
import { limitsOf, newCallPlaces } from './call-limits';
import { newOnce } from './once';
import type { McpPrincipal, McpServerOptions } from './options';
import { memoryOutcomes } from './outcome-store';
import { ownSigningKey, requestStates } from './request-state';
import { servedAgent, type ClientFor } from './serve-agent';
import { callerOf, type ArrivedCall, type CallRules, type ServedTool } from './serve-call';
import { servedTool } from './serve-tool';
import { isListening, whileAllowed, type StillAllowed } from './still-allowed';
import { newUnderWay } from './under-way';

/** What serves a process's standard input and output. */
export interface StdioServing {
  /** Ends it: cancels what is running, and resolves when its calls have ended. */
  close(): Promise<void>;
}

/** Typed tools and agents, served over MCP. */
export interface McpServing {
  /** Serves one HTTP request: mount it where your server takes `/mcp`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * The same for a caller whom your own server has told apart: `auth` is not asked. While a client listens,
   * `stillAllowed` is; without it a client that listens does so until it goes away.
   */
  readonly fetchAs: (
    request: Request,
    principal: McpPrincipal,
    stillAllowed?: StillAllowed,
  ) => Promise<Response>;
  /** Serves this process's standard input and output until the client closes them. */
  readonly stdio: () => StdioServing;
  /** Tells the clients that listen that a list is no longer what they read. */
  readonly notify: Pick<ServerNotifier, 'toolsChanged' | 'promptsChanged' | 'resourcesChanged'>;
  /** Cancels what is running and closes every stream. Resolves when all calls have ended. */
  readonly close: () => Promise<void>;
}

const DEFAULT_STATE_TTL_SECONDS = 3_600;
const DEFAULT_OUTCOME_TTL_SECONDS = 86_400;
const DEFAULT_RECHECK_MS = 15_000;
const DEFAULT_RUN_WAIT_MS = 600_000;

/**
 * Serves typed tools to MCP clients of revision 2026-07-28 and older ones, over streamable HTTP and stdio.
 *
 * ```ts
 * const server = createMcpServer({ name: 'greetings', version: '1.0.0', tools: [greetTool] });
 * Bun.serve({ fetch: server.fetch }); // or `listen(server)` of holdpoint/http, or server.stdio()
 * ```
 *
 * @throws HoldpointError `Holdpoint.Tool.Clash` for two tools of one name, `Holdpoint.Mcp.InvalidOptions`.
 */
export function createMcpServer<Context = undefined>(options: McpServerOptions<Context>): McpServing {
  const { onError, auth } = options;
  const limits = limitsOf(options.limits);
  const underWay = newUnderWay(newCallPlaces(limits));
  const tools = toolsOf(options).map((tool) => underWay.counted(tool));
  const own = [ownSigningKey()];
  const report = (failure: unknown): void => onError?.(failure);
  const rules: CallRules = {
    server: options.name,
    runWaitMs: options.runWaitMs ?? DEFAULT_RUN_WAIT_MS,
    states: requestStates(
      () => [...(options.stateKeys?.() ?? []), ...own],
      options.stateTtlSeconds ?? DEFAULT_STATE_TTL_SECONDS,
    ),
    report,
    once: newOnce(
      options.outcomes ?? memoryOutcomes(),
      (options.outcomeTtlSeconds ?? DEFAULT_OUTCOME_TTL_SECONDS) * 1_000,
      report,
    ),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    ...(options.graceMs !== undefined && { graceMs: options.graceMs }),
  };
  const parts: ServerParts = { ...options, tools, mirrored: tools.filter(mirrorsArguments), rules };
  const hosts = namesOf(options.allowedHosts ?? localhostAllowedHostnames());
  const origins = namesOf(options.allowedOrigins ?? localhostAllowedOrigins());
  const onerror = (error: Error): void => onError?.(error);
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const principal = authInfo?.extra?.['principal'] as McpPrincipal | undefined;
      return buildServer(parts, { principal });
    },
    { onerror, maxRequestBodySize: Math.min(limits.bodyBytes, Number.MAX_SAFE_INTEGER) },
  );
  const refusal = (request: Request): Response | undefined =>
    hostHeaderValidationResponse(request, hosts()) ?? originValidationResponse(request, origins());
  const serveAs = async (
    request: Request,
    principal: McpPrincipal,
    stillAllowed?: StillAllowed,
  ): Promise<Response> => {
    const endless = isListening(request);
    const response = await handler.fetch(request, {
      authInfo: { token: '', clientId: principal.id, scopes: [], extra: { principal } },
    });
    return endless && stillAllowed ? whileAllowed(response, stillAllowed, report) : response;
  };
  return {
    fetch: async (request) => {
      const refused = refusal(request);
      if (refused) return refused;
      if (!auth) return handler.fetch(request);
      const headers = new Headers(request.headers);
      const principal = await auth(headers);
      if (!principal) return unauthorized();
      const ask = async (): Promise<boolean> => {
        const now = await auth(headers);
        return now !== undefined && callerOf({ principal: now }) === callerOf({ principal });
      };
      return serveAs(request, principal, { everyMs: options.recheckMs ?? DEFAULT_RECHECK_MS, ask });
    },
    fetchAs: async (request, ...caller) => refusal(request) ?? serveAs(request, ...caller),
    stdio: () => {
      const serving = serveStdio(() => buildServer(parts, { principal: undefined }), { onerror });
      return {
        async close() {
          await serving.close();
          await underWay.settled();
        },
      };
    },
    notify: handler.notify,
    async close() {
      await handler.close();
      await underWay.settled();
    },
  };
}

/** Those at each request, where they may change. */
function namesOf(given: readonly string[] | (() => readonly string[])): () => string[] {
  return () => [...(typeof given === 'function' ? given() : given)];
}

/** Typed tools first, then agents, each in its order. */
function toolsOf<Context>(options: McpServerOptions<Context>): ServedTool[] {
  const { tools = [], agents = [], client, context, onError } = options;
  const contextOf = async ({ principal, headers }: ArrivedCall): Promise<Context> =>
    (await context?.({ principal, headers })) as Context;
  const clientFor: ClientFor = (principal) => {
    if (!client) throw new Error('Agents are served without a client.');
    return typeof client === 'function' ? client(principal) : client;
  };
  if (agents.length > 0 && !client)
    throw new HoldpointError(
      'Holdpoint.Mcp.InvalidOptions',
      'Agents are served by starting runs, and there is no `client` to start them with. Pass one.',
    );
  const served = [
    ...tools.map((tool) => servedTool(tool, contextOf)),
    ...agents.map((agent) => servedAgent(agent, clientFor)),
  ];
  refuseClashes(served.map(({ declaration }) => declaration.name));
  for (const { declaration } of served) {
    const warning = toolNameWarning(declaration.name);
    if (warning !== undefined) onError?.(new Error(warning));
  }
  return served;
}

function unauthorized(): Response {
  return Response.json(
    { error: 'invalid_token', error_description: 'Send `Authorization: Bearer <credential>`.' },
    { status: 401, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } },
  );
}

function refuseClashes(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  throw new HoldpointError('Holdpoint.Tool.Clash', `Two tools are called ${twice}. Rename one.`, {
    name: twice,
  });
}
