import type { Context } from 'hono';
import { withBodyEnd } from '../../web/body-end';
import { guard } from '../guard';
import { newApp, type HttpApp, type HttpEnv, type Services } from '../services';

/** Serves MCP to callers whom the API has told apart. `createMcpServer` of holdpoint/mcp makes one. */
export interface McpMount {
  /** Answers one request. A stream without an end ends when `stillAllowed` says no. */
  fetchAs(request: Request, caller: McpCaller, stillAllowed: McpStillAllowed): Promise<Response>;
}

/** How often it is to be asked whether a caller who listens still may. */
export interface McpStillAllowed {
  readonly everyMs: number;
  /** A rejection is a no. */
  ask(): Promise<boolean>;
}

/** Who calls, by their credential. */
export interface McpCaller {
  readonly id: string;
  readonly tenant?: string;
  readonly mayAnswer: boolean;
}

/** MCP at `/mcp`, for whoever may start runs, within the limits of the API. A call counts as a wait until it has ended. */
export function mcpRoutes(services: Services, mount: McpMount): HttpApp {
  const app = newApp();
  app.all('/mcp', guard(services, 'runs:write'), async (c) => {
    const { subject, tenant, scopes, account } = c.get('identity');
    const endWait = services.limits.beginWait(account);
    try {
      const caller = {
        id: subject,
        ...(tenant !== undefined && { tenant }),
        mayAnswer: scopes.includes('requests:answer'),
      };
      const stillAllowed = { everyMs: services.heartbeatMs, ask: () => mayStill(services, c) };
      const response = await mount.fetchAs(await readAgain(c), caller, stillAllowed);
      return withBodyEnd(response, endWait).response;
    } catch (error) {
      endWait();
      throw error;
    }
  });
  return app;
}

/** A credential may be withdrawn, narrowed or moved while its holder listens. */
async function mayStill(services: Services, c: Context<HttpEnv>): Promise<boolean> {
  const { subject, tenant } = c.get('identity');
  const now = await services.authenticate(c.req.raw.headers);
  return now.subject === subject && now.tenant === tenant && now.scopes.includes('runs:write');
}

/** The guard has read the body, within the limits. */
async function readAgain(c: Context<HttpEnv>): Promise<Request> {
  const { method, headers, signal } = c.req.raw;
  const body = method === 'POST' ? await c.req.text() : null;
  return new Request(c.req.url, { method, headers, signal, body });
}
