import { apiRoute } from '../api-route';
import { guard } from '../guard';
import { streamEvents } from '../event-stream';
import { responsesOf } from '../responses';
import * as schemas from '../schemas';
import { newApp, type HttpApp, type Services } from '../services';

/** A run's events as they happen. */
export function eventRoutes(services: Services): HttpApp {
  const app = newApp();
  app.openapi(
    apiRoute({
      method: 'get',
      path: '/v1/runs/{id}/events',
      summary: 'Follow a run',
      description:
        'Server-sent events; `id` is the position, `event` the kind. With `progress=true` events of the kind `progress`, without an `id`, tell how far tool calls are. The stream ends with the run; asked to go on after the last event it answers 204, which ends an EventSource.',
      middleware: guard(services, 'runs:read'),
      request: { params: schemas.runParams, query: schemas.eventQuery, headers: schemas.eventHeaders },
      responses: responsesOf(
        {
          200: ['A stream of events', schemas.eventStream, 'text/event-stream'],
          204: ['The run has ended and there is nothing more'],
        },
        [400, 404],
      ),
    }),
    async (c) => {
      const after = c.req.valid('header')['last-event-id'];
      return streamEvents(services, c, c.req.valid('param').id, {
        progress: c.req.valid('query').progress === 'true',
        ...(after !== undefined && { after: Number(after) }),
      });
    },
  );
  return app;
}
