import { HoldpointError } from '../agent/errors';
import type { JsonObject } from '../agent/json';
import { quote } from '../agent/refusal';
import { isTenantName, ownId } from '../agent/tenant';
import type { ClientContext } from './client-context';
import { shownId, tenantOf, type Scope, type Target } from './ids';
import { notFound } from './not-found';
import { describeRun, type RunDescription } from './run-description';
import type { WaitLimit } from './wait-limit';

/** Reads the argument of `forTenant`. Throws `Holdpoint.Client.InvalidOptions`. */
export function checkScope(tenant: unknown): Scope {
  if (tenant === null || isTenantName(tenant)) return { tenant };
  throw new HoldpointError(
    'Holdpoint.Client.InvalidOptions',
    'Expected a tenant: 1 to 64 of the characters A-Z a-z 0-9 . _ -, and not "conversation"; or null for the runs without one.',
  );
}

export function otherScope(): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Client.InvalidOptions',
    'This client is for one tenant and gives none for another. Take it from the client that `createClient` gave.',
  );
}

/**
 * Throws the error for a run that does not exist when the client may not reach this one: what is another
 * tenant's is not told apart from what is not there.
 */
export async function checkReach(context: ClientContext, target: Target, limit: WaitLimit): Promise<void> {
  if (!context.scope) return;
  const known = target.foreign === true || context.searchAttributes === 'none';
  const description = known ? {} : await describeRun(context, target.workflowId, limit);
  if (!isReachable(context, target, description)) throw notFound(target, context.namespace);
}

/** Whether a run is one of the client's, by its id and by the tenant that it was started with. */
export function isReachable(
  { scope, searchAttributes }: ClientContext,
  target: Target,
  { tenant }: Pick<RunDescription, 'tenant'>,
): boolean {
  if (!scope) return true;
  if (target.foreign) return false;
  // The id tells whose it is, unless somebody started it without this client.
  return searchAttributes === 'none' || tenant === tenantOf(scope);
}

/** What has ids, with those that its tenant knows. */
export function ownIds<T extends { readonly runId: string }>({ scope }: ClientContext, value: T): T {
  const tenant = tenantOf(scope);
  if (tenant === undefined) return value;
  const ids = Object.entries(value).filter(([name]) => ID_FIELDS.includes(name));
  return {
    ...value,
    ...Object.fromEntries(ids.map(([name, id]) => [name, typeof id === 'string' ? ownId(id, tenant) : id])),
  };
}

const ID_FIELDS: readonly string[] = ['runId', 'conversationId', 'parentRunId'];

/** How messages tell an id: as it is, as this client shows it, and as a run quotes it. */
const IN_TEXT: readonly ((id: string) => string)[] = [(id) => id, shownId, (id) => quote(id).slice(1, -1)];

/** The same for an error: the run itself, and the client inside, speak of ids as they are inside. */
export function ownError({ scope }: ClientContext, error: unknown, target: Target | undefined): unknown {
  const tenant = tenantOf(scope);
  if (tenant === undefined || !(error instanceof HoldpointError)) return error;
  const { runId, conversationId } = target ?? {};
  const named = [error.data['runId'], error.data['conversationId'], runId, conversationId];
  const inner = named.filter((id) => typeof id === 'string').filter((id) => id !== ownId(id, tenant));
  // The longest first: an ask's id begins with its conversation's.
  const message = inner
    .sort((a, b) => b.length - a.length)
    .reduce(
      (text, id) => IN_TEXT.reduce((said, form) => said.replaceAll(form(id), form(ownId(id, tenant))), text),
      error.message,
    );
  const data = Object.entries(error.data).map(([name, value]) =>
    ID_FIELDS.includes(name) && typeof value === 'string' ? [name, ownId(value, tenant)] : [name, value],
  );
  return new HoldpointError(error.type, message, Object.fromEntries(data) as JsonObject, {
    cause: error.cause,
  });
}
