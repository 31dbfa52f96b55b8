import { createHash } from 'node:crypto';
import { apiRoute } from '../api-route';
import type { Message } from '../../agent/message';
import { HoldpointError } from '../../agent/errors';
import type { Identity } from '../identity';
import { guard } from '../guard';
import { jsonBody, OF_A_BODY, responsesOf } from '../responses';
import * as schemas from '../schemas';
import { newApp, reads, type HttpApp, type Services } from '../services';
import { startedResponse } from '../wait';
import { present } from '../present';

/** Starting, listing and reading runs. */
export function runRoutes(services: Services): HttpApp {
  const app = newApp();
  const call = { waitMs: services.callMs };

  app.openapi(
    apiRoute({
      method: 'post',
      path: '/v1/runs',
      summary: 'Start a run',
      description: 'The same start sent again, by `runId` or `Idempotency-Key`, gives the run that is there.',
      middleware: guard(services, 'runs:write'),
      request: { headers: schemas.startHeaders, body: jsonBody(schemas.startBody) },
      responses: responsesOf(
        {
          200: ['It was waited for, and the run has halted or ended', schemas.runView],
          202: ['It was started; `Location` says where it is', schemas.started],
        },
        OF_A_BODY,
      ),
    }),
    async (c) => {
      const { agent, input, ...given } = c.req.valid('json');
      const { 'idempotency-key': key, prefer } = c.req.valid('header');
      const runId = runIdOf(c.get('identity'), given.runId, key);
      const options = present({ ...call, ...given, runId });
      try {
        const client = c.get('client');
        const started = await client.start(agent, input as string | readonly Message[], options);
        const { status } = started.isNew ? NEW : await client.describe(started.runId, reads(services));
        return await startedResponse(services, c, { runId: started.runId, status }, prefer);
      } catch (error) {
        throw key === undefined ? error : keyReused(error);
      }
    },
  );

  app.openapi(
    apiRoute({
      method: 'get',
      path: '/v1/runs',
      summary: 'List runs',
      description: 'Open ones first, some moments old.',
      middleware: guard(services, 'runs:read'),
      request: { query: schemas.listQuery },
      responses: responsesOf({ 200: ['A page of runs', schemas.runPage] }, [400]),
    }),
    async (c) => {
      const page = await c.get('client').listPage(present({ ...reads(services), ...c.req.valid('query') }));
      return c.json(page, 200);
    },
  );

  app.openapi(
    apiRoute({
      method: 'get',
      path: '/v1/runs/{id}',
      summary: 'Read a run',
      description: 'Where it stands now, and all that an answer to its open requests needs.',
      middleware: guard(services, 'runs:read'),
      request: { params: schemas.runParams, query: schemas.runQuery },
      responses: responsesOf({ 200: ['The run', schemas.runView] }, [400, 404]),
    }),
    async (c) => {
      const messages = c.req.valid('query').messages !== 'false';
      return c.json(
        await c.get('client').get(c.req.valid('param').id, { ...reads(services), messages }),
        200,
      );
    },
  );
  return app;
}

const NEW = { status: 'running' } as const;

/** Another key, or another account with the same key, makes another run. */
function runIdOf({ account }: Identity, runId: string | undefined, key: string | undefined) {
  if (key === undefined) return runId;
  if (runId !== undefined)
    throw new HoldpointError(
      'Holdpoint.Http.Malformed',
      'Give `runId` or the header Idempotency-Key: both name the run.',
    );
  return `idem-${createHash('sha256').update(`${account}\n${key}`).digest('hex').slice(0, 40)}`;
}

function keyReused(error: unknown): unknown {
  if (!(error instanceof HoldpointError) || error.type !== 'Holdpoint.Run.AlreadyExists') return error;
  return new HoldpointError(
    'Holdpoint.Http.IdempotencyKeyReused',
    'This Idempotency-Key was sent before with another agent, input or context. Send a new one for a new run.',
    error.data,
  );
}
