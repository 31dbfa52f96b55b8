import { apiRoute } from '../api-route';
import { guard } from '../guard';
import { present } from '../present';
import { jsonBody, OF_A_BODY, responsesOf } from '../responses';
import * as schemas from '../schemas';
import { sendAnswer } from '../send-answer';
import { senderOf } from '../to-answer';
import { newApp, type HttpApp, type Services } from '../services';
import { startedResponse } from '../wait';

/** Asking a conversation, and what its current ask waits on. */
export function conversationRoutes(services: Services): HttpApp {
  const app = newApp();
  const call = { waitMs: services.callMs };

  app.openapi(
    apiRoute({
      method: 'post',
      path: '/v1/conversations/{id}/messages',
      summary: 'Ask a conversation',
      description: 'The first ask starts it. Each ask is a run of its own, `<conversation>/<n>`.',
      middleware: guard(services, 'runs:write'),
      request: {
        params: schemas.conversationParams,
        headers: schemas.preferHeaders,
        body: jsonBody(schemas.askBody),
      },
      responses: responsesOf(
        {
          200: ['It was waited for, and the ask has halted or ended', schemas.runView],
          202: ['It is queued; `Location` says where the ask is', schemas.started],
        },
        [...OF_A_BODY, 404, 409, 410],
      ),
    }),
    async (c) => {
      const { agent, message, ...given } = c.req.valid('json');
      const options = present({ ...call, ...given });
      const { id } = c.req.valid('param');
      const started = await c.get('client').startAsk(agent, id, message, options);
      return startedResponse(services, c, { ...started, status: 'running' }, c.req.valid('header').prefer);
    },
  );

  app.openapi(
    apiRoute({
      method: 'post',
      path: '/v1/conversations/{id}/answers',
      summary: 'Answer what a conversation waits on',
      middleware: guard(services, 'requests:answer'),
      request: { params: schemas.conversationParams, body: jsonBody(schemas.answerBody) },
      responses: responsesOf({ 200: ['Accepted', schemas.receipt] }, [...OF_A_BODY, 404, 409, 410]),
    }),
    async (c) => {
      const conversationId = c.req.valid('param').id;
      const from = senderOf(c.get('identity'), c.get('client'), 'api');
      return c.json(await sendAnswer(services, from, { conversationId }, c.req.valid('json')), 200);
    },
  );

  app.openapi(
    apiRoute({
      method: 'post',
      path: '/v1/conversations/{id}/abandon',
      summary: 'Decline what a conversation waits on and end its current ask',
      middleware: guard(services, 'runs:write'),
      request: { params: schemas.conversationParams, body: jsonBody(schemas.abandonBody) },
      responses: responsesOf({ 202: ['It is on record', schemas.accepted] }, [...OF_A_BODY, 404, 410]),
    }),
    async (c) => {
      await c.get('client').abandon(c.req.valid('param').id, c.req.valid('json').reason, call);
      return c.json({ accepted: true }, 202);
    },
  );
  return app;
}
