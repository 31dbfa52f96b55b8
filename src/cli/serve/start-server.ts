import { createClient, type ClientOptions } from '../../client';
import type { ConfigSource } from '../../config/config';
import { fixedConfig, openConfig } from '../../config/live-config';
import { listen } from '../../http/listen';
import type { HttpLogger } from '../../http/services';
import { createHttpApp } from '../../inbox/with-api';
import { watchWebhooks } from '../../webhooks/watch-webhooks';
import { defaultLogger } from '../../worker/logger';
import { mcpParts, type MakeMcp } from './mcp-parts';

/** The server of `holdpoint serve`, listening. */
export interface Server {
  readonly url: string;
  readonly config: ConfigSource;
  /** Ends waits and streams, lets other requests end, and disconnects. */
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly port: number;
  readonly host: string;
  readonly connection: ClientOptions;
  /** Absent: no keys, so that every call is refused. */
  readonly configPath?: string;
  /** What is served at `/mcp`. Absent: nothing. */
  readonly mcp?: MakeMcp;
  /** Default: lines of JSON on standard error. */
  readonly logger?: HttpLogger;
}

/** Puts the server together: the API, the inbox at `/inbox`, and what is served over MCP at `/mcp`. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { port, host, connection, configPath, logger = defaultLogger() } = options;
  const live = configPath === undefined ? undefined : await openConfig(configPath, { logger });
  const config = live ?? fixedConfig();
  if (live) watchWebhooks(live, logger);
  const closing = new AbortController();
  const client = await createClient(connection);
  const end = async (): Promise<void> => {
    closing.abort();
    live?.close();
    await client.disconnect();
  };
  try {
    const mcp = options.mcp?.(mcpParts(client, config, host, logger));
    const app = createHttpApp({ client, config, logger, closing: closing.signal, ...(mcp && { mcp }) });
    const server = await listen(app, { port, host, config });
    return {
      url: server.url,
      config,
      async close() {
        closing.abort();
        // Its calls end first: what they leave behind is cancelled by the client.
        await Promise.all([server.close(), mcp?.close()]);
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
