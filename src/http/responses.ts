import type { RouteConfig } from '@hono/zod-openapi';
import type { z } from 'zod';
import { problem } from './schemas';

type Response = RouteConfig['responses'][string];

/** What the document says of one success: in words, and the schema of its body (default: JSON). */
export type Success = readonly [description: string, schema?: z.ZodType, mediaType?: string];

const WORDS: Readonly<Record<number, string>> = {
  400: 'Malformed',
  401: 'No valid credential',
  403: 'Not allowed',
  404: 'Not there, or not yours',
  409: 'Already answered, with the receipt; or waiting for an answer',
  410: 'Closed or expired',
  413: 'Too large',
  415: 'Not JSON',
  422: 'Refused',
  429: 'Too many',
  500: 'The server failed',
  501: 'The server’s configuration lacks what this needs',
  503: 'Temporal is away',
};

/** What every guarded route may answer. */
const OF_EVERY_ROUTE = [400, 401, 403, 429, 500, 503];

/** What every route that takes a body may answer too. */
export const OF_A_BODY = [400, 413, 415, 422] as const;

/** The responses of a route, as the document has them. */
export function responsesOf(
  successes: Readonly<Record<number, Success>>,
  problems: readonly number[],
  ofEveryRoute: readonly number[] = OF_EVERY_ROUTE,
): Record<number, Response> {
  const all = [...new Set([...problems, ...ofEveryRoute])];
  return {
    ...Object.fromEntries(
      Object.entries(successes).map(([status, [description, schema, mediaType = 'application/json']]) => [
        status,
        { description, ...(schema && { content: { [mediaType]: { schema } } }) },
      ]),
    ),
    ...Object.fromEntries(
      all.map((status) => [
        status,
        {
          description: WORDS[status] ?? 'Error',
          content: { 'application/problem+json': { schema: problem } },
        },
      ]),
    ),
  };
}

/** A body of JSON that must be there. */
export function jsonBody<T extends z.ZodType>(schema: T) {
  return { required: true, content: { 'application/json': { schema } } } as const;
}
