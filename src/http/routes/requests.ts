import { apiRoute } from '../api-route';
import type { Context } from 'hono';
import { HoldpointError } from '../../agent/errors';
import type { OpenRequestRow } from '../../client';
import { answerLink } from '../../tokens/answer-link';
import { signingKeyOf } from '../../tokens/answer-token';
import { guard, requireScope } from '../guard';
import { present } from '../present';
import { responsesOf } from '../responses';
import * as schemas from '../schemas';
import { newApp, reads, type HttpApp, type HttpEnv, type Services } from '../services';

/** What waits for an answer. */
export function requestRoutes(services: Services): HttpApp {
  const app = newApp();
  app.openapi(
    apiRoute({
      method: 'get',
      path: '/v1/requests',
      summary: 'List what waits for an answer',
      description:
        'Each row is confirmed by its run unless `confirmed` is false. With `links=true` each has a link by which whoever holds it answers in your name.',
      middleware: guard(services, 'requests:read'),
      request: { query: schemas.requestsQuery },
      responses: responsesOf({ 200: ['The open requests', schemas.requestList] }, [501]),
    }),
    async (c) => {
      const { links, ...filter } = c.req.valid('query');
      const wantsLinks = links === 'true';
      // Who may not answer cannot make links that do.
      if (wantsLinks) {
        requireScope(c.get('identity'), 'requests:answer');
        // Before there is anything to answer, so that it shows when the server is set up.
        signingKeyOf(services.config.current.signingKeys);
      }
      const rows = await c.get('client').requests(present({ ...reads(services), ...filter }));
      return c.json({ requests: wantsLinks ? await withLinks(services, c, rows) : rows }, 200);
    },
  );
  return app;
}

async function withLinks(services: Services, c: Context<HttpEnv>, rows: readonly OpenRequestRow[]) {
  const executions = new Map<string, Promise<string | undefined>>();
  const executionOf = (runId: string): Promise<string | undefined> => {
    const known = executions.get(runId) ?? firstExecution(services, c, runId);
    executions.set(runId, known);
    return known;
  };
  return Promise.all(
    rows.map(async (row) => {
      const firstExecutionId = await executionOf(row.runId);
      return firstExecutionId === undefined
        ? row
        : { ...row, link: await linkTo(services, c, row, firstExecutionId) };
    }),
  );
}

async function firstExecution(services: Services, c: Context<HttpEnv>, runId: string) {
  try {
    return (await c.get('client').describe(runId, reads(services))).firstExecutionId;
  } catch (error) {
    // Erased since it was listed.
    if (error instanceof HoldpointError && error.type.endsWith('.NotFound')) return undefined;
    throw error;
  }
}

function linkTo(
  { config }: Services,
  c: Context<HttpEnv>,
  { runId, request }: OpenRequestRow,
  firstExecutionId: string,
): Promise<string> {
  const { subject, roles, tenant } = c.get('identity');
  const link = {
    runId,
    firstExecutionId,
    request,
    by: subject,
    roles,
    ...(tenant !== undefined && { tenant }),
  };
  return answerLink(config, link, new URL(c.req.url).origin);
}
