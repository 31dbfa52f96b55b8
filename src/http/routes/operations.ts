import { apiRoute } from '../api-route';
import { HoldpointError } from '../../agent/errors';
import { guard } from '../guard';
import { responsesOf } from '../responses';
import * as schemas from '../schemas';
import { newApp, type HttpApp, type Services } from '../services';

/** So that whoever balances load is not held up by a server that is. */
const READY_MS = 2_000;

/** What those who operate the server ask it. Only the two health checks are open. */
export function operationRoutes(services: Services): HttpApp {
  const app = newApp();
  app.openapi(
    apiRoute({
      method: 'get',
      path: '/healthz',
      summary: 'Whether the server runs',
      security: [],
      responses: responsesOf({ 200: ['It does', schemas.health] }, [], []),
    }),
    (c) => c.json({ status: 'ok' }, 200),
  );

  app.openapi(
    apiRoute({
      method: 'get',
      path: '/readyz',
      summary: 'Whether the server can do its work: Temporal answers, and it is not about to end',
      security: [],
      responses: responsesOf({ 200: ['It can', schemas.readiness] }, [503], []),
    }),
    async (c) => {
      if (services.closing.aborted || !(await temporalAnswers(services)))
        throw new HoldpointError(
          'Holdpoint.Http.Unavailable',
          'Temporal does not answer, or this server is about to end.',
        );
      // Not a failure: a slip in the file must not take every server out at once.
      const configuration = services.config.problem === undefined ? 'current' : 'outdated';
      return c.json({ status: 'ok', configuration } as const, 200);
    },
  );

  app.openapi(
    apiRoute({
      method: 'get',
      path: '/metrics',
      summary: 'Counts and times, for Prometheus',
      middleware: guard(services, 'metrics'),
      responses: responsesOf({ 200: ['Metrics', schemas.plainText, 'text/plain'] }, []),
    }),
    async (c): Promise<Response> => {
      const { registry } = services.metrics;
      return c.body(await registry.metrics(), 200, { 'content-type': registry.contentType });
    },
  );
  return app;
}

async function temporalAnswers({ client: { temporal } }: Services): Promise<boolean> {
  const { namespace } = temporal.options;
  try {
    await temporal.withDeadline(Date.now() + READY_MS, () =>
      temporal.workflowService.describeNamespace({ namespace }),
    );
    return true;
  } catch {
    return false;
  }
}
