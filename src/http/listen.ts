import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { HoldpointError } from '../agent/errors';
import { isRecord } from '../agent/json';
import type { ConfigSource } from '../config/config';

/** Milliseconds that requests under way have to end. */
const GRACE_MS = 10_000;
const IDLE_CHECK_MS = 50;

/** Anything that answers requests as the Fetch API has them, such as a Hono application. */
export interface FetchApp {
  /** `env` holds what the server knows of the connection. */
  readonly fetch: (request: Request, env: object) => Response | Promise<Response>;
}

/** A server that listens. */
export interface ListeningServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Takes no more requests, lets those under way end within the grace time, and resolves when all is over. */
  close(): Promise<void>;
}

/** Listens with the time limits that the configuration has at the start. Port 0 is a free one. */
export async function listen(
  app: FetchApp,
  options: {
    readonly port: number;
    readonly host: string;
    readonly config: ConfigSource;
    readonly graceMs?: number;
  },
): Promise<ListeningServer> {
  const { headersMs, requestMs } = options.config.current.limits;
  // It answers every failure itself.
  const answer = getRequestListener((request, env) => app.fetch(request, env));
  const server = createServer(
    // How often those limits are looked at; Node's own 30 s would be longer than the limits.
    { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: 1_000 },
    (incoming, outgoing) => void answer(incoming, outgoing),
  );
  server.listen(options.port, options.host);
  await once(server, 'listening').catch((error: unknown) => {
    throw portTaken(error, options);
  });
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () => close(server, options.graceMs ?? GRACE_MS),
  };
}

function portTaken(
  error: unknown,
  { port, host }: { readonly port: number; readonly host: string },
): unknown {
  const code = isRecord(error) ? error['code'] : undefined;
  if (typeof code !== 'string') return error;
  const why = code === 'EADDRINUSE' ? 'is in use' : `of ${host} cannot be listened on (${code})`;
  return new HoldpointError(
    'Holdpoint.Server.PortTaken',
    `Port ${port} ${why}. Give another one with \`--port\` (0 is a free one), or end the process that listens on it.`,
    { port },
    { cause: error },
  );
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection whose last response has just ended would otherwise stay open for a next request.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
