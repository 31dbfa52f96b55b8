import { createRoute, z, type RouteConfig } from '@hono/zod-openapi';

/**
 * A route of the API. Query parameters that its schema does not have are refused: who misspells a filter would
 * otherwise read everybody's rows as an answer to it. Only open routes take any, because mail programs add to links,
 * and whoever balances load to health checks.
 */
export function apiRoute<P extends string, R extends Omit<RouteConfig, 'path'> & { path: P }>(route: R) {
  if (route.security?.length === 0) return createRoute<P, R>(route);
  const query = strict(route.request?.query);
  return createRoute<P, R>({ ...route, request: { ...route.request, query } });
}

function strict(query: NonNullable<RouteConfig['request']>['query']): z.ZodObject {
  const shape = query instanceof z.ZodObject ? query.shape : {};
  const known = Object.keys(shape);
  const instead = known.length === 0 ? 'This takes none' : `The parameters are ${known.join(', ')}`;
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown parameter ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}. ${instead}`
        : undefined,
  });
}
