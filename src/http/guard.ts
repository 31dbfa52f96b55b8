import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HoldpointError } from '../agent/errors';
import type { Scope } from '../config/config';
import type { Identity } from './identity';
import { verifyIncoming } from './incoming';
import type { HttpEnv, Services } from './services';

/** JSON nested deeper than this is nobody's data, and whatever walks it by recursion would fail. */
const MAX_NESTING = 200;

/**
 * Lets a request through that has a valid credential with this scope; absent: any valid one. The order is part of
 * what a stranger learns: who they are not, then that they ask too often, then what they may not do.
 */
export function guard(services: Services, scope?: Scope): MiddlewareHandler<HttpEnv> {
  const bound = boundBody(services);
  return async (c, next) => {
    const identity = await identify(services, c);
    if (scope !== undefined) requireScope(identity, scope);
    c.set('identity', identity);
    c.set('client', services.client.forTenant(identity.tenant ?? null));
    // Nobody's body is read before it is known who they are.
    return bound(c, next);
  };
}

/** Lets a message through that a configured machine signed. */
export function guardSigned(services: Services): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { incoming } = services.config.current.webhooks;
    const { identity, answerId } = await countRefused(services, c, async () =>
      verifyIncoming(incoming, c.req.raw.headers, await c.req.text()),
    );
    await services.limits.countRequest(identity.account);
    c.set('identity', identity);
    c.set('client', services.client.forTenant(identity.tenant ?? null));
    c.set('answerId', answerId);
    await next();
  };
}

const REFUSALS: readonly string[] = [
  'Holdpoint.Http.Unauthenticated',
  'Holdpoint.Token.Unknown',
  'Holdpoint.Token.Expired',
];

/** Counts an attempt that fails, by the address that it comes from. */
export async function countRefused<T>(
  { limits }: Services,
  c: Context,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    // Not what is away, or goes wrong here.
    if (error instanceof HoldpointError && REFUSALS.includes(error.type))
      await limits.countRefused(addressOf(c));
    throw error;
  }
}

async function identify(services: Services, c: Context): Promise<Identity> {
  const identity = await countRefused(services, c, () => services.authenticate(c.req.raw.headers));
  await services.limits.countRequest(identity.account);
  return identity;
}

/** Throws `Holdpoint.Http.Forbidden`. */
export function requireScope({ scopes }: Identity, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new HoldpointError(
    'Holdpoint.Http.Forbidden',
    `This credential lacks the scope ${scope}. Use one that has it.`,
    { scope },
  );
}

/** Of the connection: what a header says of it, anybody can write. */
export function addressOf(c: Context): string {
  try {
    return getConnInfo(c).remote.address ?? 'unknown';
  } catch {
    // Called without a server, as tests do.
    return 'unknown';
  }
}

/** Refuses bodies that are too large, as the configuration has it at that moment, or nested too deep. */
export function boundBody({ config }: Services): MiddlewareHandler {
  return async (c, next) => {
    const maxSize = config.current.limits.bodyBytes;
    const tooLarge = (): never => {
      throw new HoldpointError(
        'Holdpoint.Http.TooLarge',
        `A body has at most ${maxSize} bytes. Keep large values elsewhere and pass a reference.`,
        { maxBytes: maxSize },
      );
    };
    return bodyLimit({ maxSize, onError: tooLarge })(c, async () => {
      const isJson = /json/i.test(c.req.header('content-type') ?? '');
      if (isJson && nesting(await c.req.text()) > MAX_NESTING)
        throw new HoldpointError(
          'Holdpoint.Http.Malformed',
          `The body is nested deeper than ${MAX_NESTING} levels.`,
        );
      await next();
    });
  };
}

/** How deep a JSON text is nested, without parsing it. */
function nesting(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (inText) {
      if (char === '\\') at += 1;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === '{' || char === '[') deepest = Math.max(deepest, (depth += 1));
    else if (char === '}' || char === ']') depth -= 1;
  }
  return deepest;
}
