import { assertPortFree, freePort } from './free-port';
import type { OnProgress } from './progress';
import { existingServer } from './existing-server';
import { toServerArguments, type DynamicConfigValue, type ServerLogLevel } from './server-arguments';
import { findServerBinary } from './server-binary';
import { waitUntilHealthy } from './server-health';
import { ServerProcess } from './server-process';
import { HoldpointError } from '../agent/errors';

/** Options of {@link startTestServer}; every one may be left out. */
export interface TestServerOptions {
  /**
   * Start a server even when `TEMPORAL_ADDRESS` names one. Default: false, and then the options that shape a
   * server (`port`, `ui`, `uiPort`, `dbFilename`, `dynamicConfig`, `searchAttributes`) are refused when
   * `TEMPORAL_ADDRESS` is set.
   */
  readonly dedicated?: boolean;
  /** Port on 127.0.0.1. Default: a free one. */
  readonly port?: number;
  /** Serve Temporal's web page. Default: false, or true when `uiPort` is given. */
  readonly ui?: boolean;
  /** Port of the web page. Default: a free one. */
  readonly uiPort?: number;
  /** Namespace to create. Default: `TEMPORAL_NAMESPACE`, or `default`. */
  readonly namespace?: string;
  /** Database file, created when missing; a server on the same file goes on where the last one stood. Default: in memory. */
  readonly dbFilename?: string;
  /** Values added to, or replacing, the ones that make the development server fast. */
  readonly dynamicConfig?: Readonly<Record<string, DynamicConfigValue>>;
  /** Register Holdpoint's search attributes. Default: true. */
  readonly searchAttributes?: boolean;
  /** Default: `error`. What is logged shows only in the error of a failed start. */
  readonly logLevel?: ServerLogLevel;
  /** Called for steps that take long: downloading or building the server, once. Default: nothing. */
  readonly onProgress?: OnProgress;
  /** How long a start may take once the executable is there, in milliseconds. Default: 60 000. */
  readonly startTimeoutMs?: number;
}

/** A Temporal server that answers. */
export interface TestServer {
  /** `host:port`, for clients and workers. */
  readonly address: string;
  readonly namespace: string;
  /** Temporal's web page, when it was asked for. */
  readonly webUrl?: string;
  /** The server's process; undefined for the one at `TEMPORAL_ADDRESS`. */
  readonly pid?: number;
  /** Path of the `temporal` command that it was started with; undefined likewise. */
  readonly executable?: string;
  /** Ends the server and resolves when it is gone. Does nothing for the one at `TEMPORAL_ADDRESS`. */
  stop(): Promise<void>;
  /**
   * Ends the server with SIGKILL, as a crash would. Start another on the same `dbFilename` and port to go on.
   * Throws `Holdpoint.Server.InvalidOptions` for the one at `TEMPORAL_ADDRESS`.
   */
  kill(): Promise<void>;
  /** `stop`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
/** A free port can be taken between the moment it was found and the moment the server binds it. */
const ATTEMPTS = 3;

/**
 * Gives a Temporal server: the one at `TEMPORAL_ADDRESS`, or a development server of its own, from a
 * `temporal` command on the PATH, the cache, the Temporal SDK's download or a build with Go, in this order.
 * It ends with this process, however that ends.
 *
 * Throws `HoldpointError`: `Holdpoint.Server.NotFound` (says what to install), `…PortTaken`, `…Failed` (with what
 * the server printed), `…Unreachable` (nothing answers at `TEMPORAL_ADDRESS`), `…InvalidOptions`.
 *
 * @example
 * await using server = await startTestServer({ onProgress: console.error });
 * const client = await createClient({ address: server.address, namespace: server.namespace, taskQueue: 'test' });
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const address = process.env.TEMPORAL_ADDRESS;
  if (address && options.dedicated !== true) return existingServer(address, options);

  const onProgress = options.onProgress ?? ((): void => undefined);
  const executable = await findServerBinary({ onProgress, env: process.env });
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(executable, options);
    } catch (error) {
      const portsWereChosen = options.port === undefined && options.uiPort === undefined;
      const lostPort = error instanceof HoldpointError && /can't (set|use) .*port/.test(error.message);
      if (!portsWereChosen || !lostPort || attempt === ATTEMPTS) throw error;
    }
  }
}

async function startOnce(executable: string, options: TestServerOptions): Promise<TestServer> {
  const withUi = options.ui ?? options.uiPort !== undefined;
  if (options.port !== undefined) await assertPortFree(options.port, 'the Temporal server');
  if (options.uiPort !== undefined) await assertPortFree(options.uiPort, "the Temporal server's web page");
  const port = options.port ?? (await freePort());
  const uiPort = withUi ? (options.uiPort ?? (await freePort())) : undefined;
  const namespace = options.namespace ?? (process.env.TEMPORAL_NAMESPACE || 'default');
  const address = `127.0.0.1:${port}`;

  const server = new ServerProcess(
    executable,
    toServerArguments({
      port,
      uiPort,
      namespace,
      dbFilename: options.dbFilename,
      dynamicConfig: options.dynamicConfig ?? {},
      searchAttributes: options.searchAttributes ?? true,
      logLevel: options.logLevel ?? 'error',
    }),
  );
  const ended = new AbortController();
  try {
    const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
    await Promise.race([waitUntilHealthy({ address }, namespace, timeoutMs, ended.signal), server.failure()]);
  } catch (error) {
    ended.abort();
    await server.kill();
    if (error instanceof HoldpointError) throw error;
    throw new HoldpointError(
      'Holdpoint.Server.Failed',
      `The Temporal server at ${address} did not become healthy in time. It printed:\n${server.output}`,
      { address },
      { cause: error },
    );
  }
  server.unref();

  const stop = (): Promise<void> => server.stop();
  return {
    address,
    namespace,
    ...(uiPort === undefined ? {} : { webUrl: `http://127.0.0.1:${uiPort}` }),
    ...(server.pid === undefined ? {} : { pid: server.pid }),
    executable,
    stop,
    kill: () => server.kill(),
    [Symbol.asyncDispose]: stop,
  };
}
