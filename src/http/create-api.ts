import type { Context, MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import type { HoldpointClient } from '../client';
import { errorMessage, HoldpointError } from '../agent/errors';
import type { ConfigSource } from '../config/config';
import { describeApi } from './describe-api';
import { createAuthenticator, type Authenticate } from './identity';
import { createLimits, type Limits } from './limits';
import { createMetrics } from './metrics';
import { problemHeaders, toProblem, type Problem } from './problem';
import { conversationRoutes } from './routes/conversations';
import { eventRoutes } from './routes/events';
import { linkRoutes } from './routes/links';
import { mcpRoutes, type McpMount } from './routes/mcp';
import { operationRoutes } from './routes/operations';
import { requestRoutes } from './routes/requests';
import { runRoutes } from './routes/runs';
import { steeringRoutes } from './routes/steering';
import { newApp, type HttpApp, type HttpEnv, type HttpLogger, type Services } from './services';

/** Options of {@link createHttpApi}. */
export interface HttpApiOptions {
  /** As `createClient` gives it: the API makes one for each tenant out of it. */
  readonly client: HoldpointClient;
  /** Keys, issuers, signing keys and limits, read at each use. */
  readonly config: ConfigSource;
  /** How callers are told apart. Default: by the keys and issuers of the configuration. */
  readonly authenticate?: Authenticate;
  /** Counts what callers ask for. Default: counted here alone; the inbox may share it. */
  readonly limits?: Limits;
  /** Where each request is told: its route, never a token, a header or a body. Default: nowhere. */
  readonly logger?: HttpLogger;
  /** Aborts when the server is about to end: waits and event streams end with it. Default: never. */
  readonly closing?: AbortSignal;
  /** Where the inbox is served on the same address, such as `/inbox`: the pages of links lead there. Default: nowhere. */
  readonly inboxPath?: string;
  /** Served at `/mcp` to whoever has the scope `runs:write`, such as what `createMcpServer` gives. Default: nothing. */
  readonly mcp?: McpMount;
  /** Milliseconds that one call to Temporal may take until the answer is a 503. Default 10,000. */
  readonly callMs?: number;
  /** Milliseconds between the signs of life of an event stream. Default 15,000. */
  readonly heartbeatMs?: number;
}

const DEFAULT_CALL_MS = 10_000;
const DEFAULT_HEARTBEAT_MS = 15_000;
/** As proxies write it in their logs. */
const CLIENT_GONE = 499;
const SILENT: HttpLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * The HTTP API as a Hono application: serve it with any adapter, or mount it in an application of your own.
 *
 * ```ts
 * const api = createHttpApi({ client: await createClient(), config: await openConfig('holdpoint.config.json') });
 * serve({ fetch: api.fetch, port: 7080 });
 * ```
 */
export function createHttpApi(options: HttpApiOptions): HttpApp {
  const { client, config, logger = SILENT, closing = new AbortController().signal } = options;
  const { limits = createLimits(config) } = options;
  const services: Services = {
    client,
    config,
    authenticate: options.authenticate ?? createAuthenticator(config),
    limits,
    metrics: createMetrics(
      () => limits.waits,
      () => config.problem !== undefined,
    ),
    logger,
    callMs: options.callMs ?? DEFAULT_CALL_MS,
    heartbeatMs: options.heartbeatMs ?? DEFAULT_HEARTBEAT_MS,
    closing,
    ...(options.inboxPath !== undefined && { inboxPath: options.inboxPath }),
  };
  const app = newApp();
  app.use(observe(services));
  for (const routes of [
    runRoutes,
    steeringRoutes,
    eventRoutes,
    conversationRoutes,
    requestRoutes,
    linkRoutes,
    operationRoutes,
  ])
    app.route('/', routes(services));
  if (options.mcp) app.route('/', mcpRoutes(services, options.mcp));
  describeApi(app, services);
  app.notFound((c) => problemResponse(c, toProblem(noRoute(app, c))));
  app.onError((error, c) => {
    // Whoever asked has gone away, and reads nothing any more.
    if (c.req.raw.signal.aborted) return new Response(null, { status: CLIENT_GONE });
    const problem = toProblem(typedError(error));
    if (problem.status === 500)
      logger.error({ method: c.req.method, route: routeOf(c) }, `A request failed: ${errorMessage(error)}`);
    return problemResponse(c, problem);
  });
  return app;
}

function problemResponse(c: Context, problem: Problem): Response {
  return c.body(JSON.stringify(problem), problem.status, problemHeaders(problem));
}

/** What the framework refuses by itself, in our words. */
function typedError(error: unknown): unknown {
  if (!(error instanceof HTTPException)) return error;
  switch (error.status) {
    case 400:
      return new HoldpointError('Holdpoint.Http.Malformed', 'The body is not what its content type says.');
    case 415:
      return new HoldpointError('Holdpoint.Http.UnsupportedMediaType', 'Send the body as application/json.');
    default:
      return error;
  }
}

/** Counts and logs each request when its response begins. */
function observe({ metrics, logger }: Services): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const start = performance.now();
    await next();
    const { method } = c.req;
    const { status } = c.res;
    const ms = Math.round(performance.now() - start);
    const route = routeOf(c);
    metrics.request({ method, route, status }, ms / 1000);
    // A page's address can be a capability, so the pattern stands for it.
    logger.info({ method, route, status, ms, subject: c.get('identity')?.subject }, 'request');
  };
}

/** The pattern of the route that answered; what a stranger made up is one word. */
function routeOf(c: Context): string {
  const path = routePath(c, -1);
  return path.includes('*') ? 'none' : path;
}

/** 404, or 405 where another method would find something. */
function noRoute(app: HttpApp, c: Context): HoldpointError {
  const path = c.req.path;
  const methods = app.routes
    .filter((route) => route.method !== 'ALL' && matches(route.path, path))
    .map((route) => route.method);
  const allow = [...new Set(methods)].join(', ');
  if (allow === '') return new HoldpointError('Holdpoint.Http.UnknownRoute', 'There is nothing here.');
  return new HoldpointError('Holdpoint.Http.WrongMethod', `This takes ${allow}.`, { allow });
}

function matches(pattern: string, path: string): boolean {
  const parts = pattern.split('/');
  const given = path.split('/');
  return (
    parts.length === given.length &&
    parts.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
  );
}
