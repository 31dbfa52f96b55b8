import { apiRoute } from './api-route';
import { guard } from './guard';
import { responsesOf } from './responses';
import * as schemas from './schemas';
import type { HttpApp, Services } from './services';

/** The version of the API, which is in every path. */
const VERSION = '1';

/** Adds `/openapi.json`, made of the schemas that validate. Call it when all routes are there. */
export function describeApi(app: HttpApp, services: Services): void {
  const { openAPIRegistry } = app;
  openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, `hp_…`, or a JWT of a configured issuer.',
  });
  openAPIRegistry.registerComponent('securitySchemes', 'signature', {
    type: 'apiKey',
    in: 'header',
    name: 'webhook-signature',
    description: 'Standard Webhooks: webhook-id, webhook-timestamp and webhook-signature.',
  });
  app.openapi(
    apiRoute({
      method: 'get',
      path: '/openapi.json',
      summary: 'This document',
      middleware: guard(services),
      responses: responsesOf({ 200: ['The document', schemas.document] }, []),
    }),
    (c) =>
      c.json(
        app.getOpenAPI31Document({
          openapi: '3.1.0',
          info: {
            title: 'Holdpoint',
            version: VERSION,
            description: 'Runs of tool-using agents that wait for people and other systems.',
          },
          security: [{ bearer: [] }],
        }),
        200,
      ),
  );
}
