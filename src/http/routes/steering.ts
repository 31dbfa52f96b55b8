import { apiRoute } from '../api-route';
import { guard } from '../guard';
import { jsonBody, OF_A_BODY, responsesOf } from '../responses';
import { sendAnswer } from '../send-answer';
import { senderOf } from '../to-answer';
import * as schemas from '../schemas';
import { newApp, type HttpApp, type Services } from '../services';

/** What moves a run on or ends it. */
export function steeringRoutes(services: Services): HttpApp {
  const app = newApp();
  const call = { waitMs: services.callMs };

  app.openapi(
    apiRoute({
      method: 'post',
      path: '/v1/runs/{id}/answers',
      summary: 'Answer a request of a run',
      description: 'Success means that the run has accepted the answer. `by` is who the credential names.',
      middleware: guard(services, 'requests:answer'),
      request: { params: schemas.runParams, body: jsonBody(schemas.answerBody) },
      responses: responsesOf({ 200: ['Accepted', schemas.receipt] }, [...OF_A_BODY, 404, 409, 410]),
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const from = senderOf(c.get('identity'), c.get('client'), 'api');
      return c.json(await sendAnswer(services, from, id, c.req.valid('json')), 200);
    },
  );

  app.openapi(
    apiRoute({
      method: 'post',
      path: '/v1/runs/{id}/messages',
      summary: 'Send a message to a run that goes on',
      middleware: guard(services, 'runs:write'),
      request: { params: schemas.runParams, body: jsonBody(schemas.messageBody) },
      responses: responsesOf({ 202: ['The run has it', schemas.accepted] }, [...OF_A_BODY, 404, 410]),
    }),
    async (c) => {
      const { message } = c.req.valid('json');
      const { id } = c.req.valid('param');
      await c.get('client').addMessage(id, message, call);
      return c.json({ accepted: true }, 202);
    },
  );

  app.openapi(
    apiRoute({
      method: 'post',
      path: '/v1/runs/{id}/cancel',
      summary: 'Cancel a run, or one ask of a conversation',
      middleware: guard(services, 'runs:write'),
      request: { params: schemas.runParams },
      responses: responsesOf(
        { 202: ['It is on record; the run may take seconds to end', schemas.accepted] },
        [404, 410],
      ),
    }),
    async (c) => {
      await c.get('client').cancel(c.req.valid('param').id, call);
      return c.json({ accepted: true }, 202);
    },
  );
  return app;
}
