import { visible, visibleLine } from '../../agent/visible-text';
import { assertPortFree, freePort } from '../../testing/free-port';
import type { DevFlags } from '../commands/dev';
import { connectingOptions, type ConnectionFlags } from '../connection';
import type { Output } from '../output';
import { howToOpen, isClosed } from '../serve/how-to-open';
import { openDevConfig } from './dev-config';
import type { DevFolder } from './folder';

const HOST = '127.0.0.1';
const DEFAULT_PORT = 7080;

/** The API and the inbox of `dev`, listening. */
export interface DevApi {
  readonly configPath: string;
  close(): Promise<void>;
}

export interface DevApiOptions {
  readonly folder: DevFolder;
  readonly flags: DevFlags;
  readonly connection: ConnectionFlags;
  readonly output: Output;
}

/** Serves both, and says where and with which key. */
export async function startDevApi({ folder, flags, connection, output }: DevApiOptions): Promise<DevApi> {
  // Loading it takes a moment, and who only wants `--help` does not need it.
  const { startServer } = await import('../serve/start-server.js');
  const port = await portFor(flags.httpPort);
  const url = `http://${HOST}:${port}`;
  const own = flags.config === undefined ? await openDevConfig(folder, url) : undefined;
  const configPath = own?.path ?? flags.config ?? folder.config;
  const warn = (_: object, message: string): void => output.warning(visible(`API: ${message}`));
  const server = await startServer({
    port,
    host: HOST,
    connection: await connectingOptions(connection),
    configPath,
    logger: { info: () => undefined, warn, error: warn },
  });
  const { bold, dim } = output.style;
  const inbox = `${url}/inbox`;
  // The keys themselves are nowhere but with whom they were shown to.
  const names = server.config.current.keys.map(({ name }) => visibleLine(name));
  const key = own ? { key: own.key } : { keys: names };
  const lines = [
    `Inbox            ${bold(inbox)}`,
    own
      ? `Key              ${own.key} ${dim('(signs in to the inbox, and calls the API)')}`
      : `Keys             ${names.join(', ') || 'none'} ${dim(`(of ${visible(configPath)})`)}`,
  ];
  output.entry({ event: 'api', url, inbox, ...key }, lines.join('\n'));
  if (!own && isClosed(server.config)) output.warning(howToOpen(configPath));
  return { configPath, close: () => server.close() };
}

async function portFor(wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) {
    await assertPortFree(wanted, 'the API and the inbox');
    return wanted;
  }
  return assertPortFree(DEFAULT_PORT, 'the API').then(
    () => DEFAULT_PORT,
    () => freePort(),
  );
}
