import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context, MiddlewareHandler } from 'hono';
import { HoldpointError } from '../agent/errors';
import type { Scope } from '../config/config';
import { boundBytes, refuseDeepBody } from './bound-body';
import type { Identity } from './identity';
import { readSignature, verifyIncoming, type SignedMessage } from './incoming';
import type { HttpEnv, Services } from './services';

/**
 * Lets a request through that has a valid credential with this scope; absent: any valid one. The order is part of
 * what a stranger learns: who they are not, then that they ask too often, then what they may not do.
 */
export function guard(services: Services, scope?: Scope): MiddlewareHandler<HttpEnv> {
  const bound = boundBytes(services);
  return async (c, next) => {
    const identity = await identify(services, c);
    if (scope !== undefined) requireScope(identity, scope);
    c.set('identity', identity);
    c.set('client', services.client.forTenant(identity.tenant ?? null));
    // Nobody's body is read before it is known who they are.
    return bound(c, async () => {
      await refuseDeepBody(c);
      await next();
    });
  };
}

/** Lets a message through that a configured machine signed. */
export function guardSigned(services: Services): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { identity, answerId } = await verifySigned(services, c);
    await services.limits.countRequest(identity.account);
    await refuseDeepBody(c);
    c.set('identity', identity);
    c.set('client', services.client.forTenant(identity.tenant ?? null));
    c.set('answerId', answerId);
    await next();
  };
}

/**
 * Finds out which machine signed a message. Judging a signature takes the whole body, so an address that was refused
 * too often is refused before that, whoever it is by now.
 */
export async function verifySigned(services: Services, c: Context): Promise<SignedMessage> {
  const { limits, config } = services;
  const address = addressOf(c);
  await limits.checkRefused(address);
  return countRefused(services, c, async () => {
    const signature = readSignature(c.req.raw.headers);
    const body = await c.req.text();
    // Others of the same address may have been refused while it came.
    await limits.checkRefused(address);
    return verifyIncoming(config.current.webhooks.incoming, signature, body);
  });
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
