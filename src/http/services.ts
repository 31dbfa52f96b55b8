import { OpenAPIHono } from '@hono/zod-openapi';
import type { HoldpointClient } from '../client';
import { HoldpointError } from '../agent/errors';
import type { ConfigSource } from '../config/config';
import type { Authenticate, Identity } from './identity';
import type { Limits } from './limits';
import type { Metrics } from './metrics';

/** Where the server's log goes: routes and statuses, never a token, a header or a body. A pino logger is one. */
export interface HttpLogger {
  /** Each request, when its response begins. */
  info(fields: object, message: string): void;
  /** A stream that broke off. */
  warn(fields: object, message: string): void;
  /** What nobody foresaw. */
  error(fields: object, message: string): void;
}

/** What all routes share. */
export interface Services {
  readonly client: HoldpointClient;
  readonly config: ConfigSource;
  readonly authenticate: Authenticate;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly logger: HttpLogger;
  /** Milliseconds that one call to Temporal may take. */
  readonly callMs: number;
  /** Milliseconds between the signs of life of an event stream. */
  readonly heartbeatMs: number;
  /** Where the inbox is, on the same server; absent where it is not served. */
  readonly inboxPath?: string;
  /** Aborts when the server is about to end: waits and streams end with it. */
  readonly closing: AbortSignal;
}

/** How long something may be read of Temporal and the workers; what is sent to them has `callMs`. */
export function reads({ callMs, config }: Services): { readonly waitMs: number } {
  return { waitMs: Math.min(callMs, config.current.limits.readMs) };
}

/** What a guarded route finds in its context. */
export interface HttpEnv {
  Variables: {
    /** Who calls. */
    identity: Identity;
    /** The client for their tenant. */
    client: HoldpointClient;
    /** On routes that take signed messages: how the answer is named. */
    answerId: string;
  };
}

/** The application, or a part of it. */
export type HttpApp = OpenAPIHono<HttpEnv>;

/** An empty part of the application, whose schemas refuse with a typed error. */
export function newApp(): HttpApp {
  return new OpenAPIHono<HttpEnv>({
    defaultHook: (result) => {
      if (!result.success) throw malformed(result.target, result.error.issues);
    },
  });
}

/** Problems that one message names. */
const MAX_PROBLEMS = 5;
const MAX_PROBLEM_LENGTH = 300;

/** Names each place and shows no value. */
export function malformed(
  target: string,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): HoldpointError {
  const where = target === 'json' || target === 'form' ? 'body' : target;
  const problems = issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => {
    const place = path.length === 0 ? where : `${where} ${path.map(String).join('.')}`;
    return `${place}: ${message}`.slice(0, MAX_PROBLEM_LENGTH);
  });
  return new HoldpointError('Holdpoint.Http.Malformed', `${problems.join('; ')}.`, { problems });
}
