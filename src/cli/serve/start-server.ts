import { createClient, type ClientOptions } from '../../client';
import type { ConfigSource } from '../../config/config';
import { fixedConfig, openConfig } from '../../config/live-config';
import { createHttpApi } from '../../http/create-api';
import { listen } from '../../http/listen';
import { defaultLogger } from '../../worker/logger';

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
}

/** Puts the server together. What else it is to serve is mounted where the API is made. */
export async function startServer({ port, host, connection, configPath }: ServerOptions): Promise<Server> {
  const logger = defaultLogger();
  const live = configPath === undefined ? undefined : await openConfig(configPath, { logger });
  const config = live ?? fixedConfig();
  const closing = new AbortController();
  const client = await createClient(connection);
  const end = async (): Promise<void> => {
    closing.abort();
    live?.close();
    await client.disconnect();
  };
  try {
    const app = createHttpApi({ client, config, logger, closing: closing.signal });
    // Pages, such as the inbox, go here: `app.route('/inbox', …)`.
    const server = await listen(app, { port, host, config });
    return {
      url: server.url,
      config,
      async close() {
        closing.abort();
        await server.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
