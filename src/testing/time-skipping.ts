import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { HoldpointError } from '../agent/errors';
import { cacheDirectory } from './cache-directory';
import { freePort } from './free-port';
import type { OnProgress } from './progress';
import { toIndexedValueTypes } from './search-attributes';
import { waitUntilAnswered } from './server-health';
import { ServerProcess } from './server-process';
import { TimeSkippingEnvironment } from './time-skipping-environment';
import { findTimeSkippingServer } from './time-skipping-command';

const START_TIMEOUT_MS = 60_000;

/** Options of {@link startTimeSkippingServer}. */
export interface TimeSkippingOptions {
  /** Called for steps that take long: fetching the server, once. Default: nothing. */
  readonly onProgress?: OnProgress;
  /** Register Holdpoint's search attributes. Default: true. */
  readonly searchAttributes?: boolean;
}

/**
 * Starts a server whose clock jumps to the next timer while a test waits for a result, so that a wait of
 * thirty days takes seconds. The server is the one that the Temporal SDK downloads or, where that is refused,
 * the same one as Java archives from Maven (needs `java` 11 or newer and `mvn`); either is kept in the cache.
 * It cannot list runs: `list` and `requests` of a client fail there. Worker and client need no options for it but
 * `address`. `teardown()` ends it; so does the end of this process.
 *
 * Throws `HoldpointError`: `Holdpoint.Server.NotFound` (says what to install), `Holdpoint.Server.Failed`.
 *
 * @example
 * const environment = await startTimeSkippingServer();
 * const worker = await createWorker({ agents, address: environment.address });
 * await environment.sleep('30 days');
 */
export async function startTimeSkippingServer(
  options: TimeSkippingOptions = {},
): Promise<TestWorkflowEnvironment> {
  const onProgress = options.onProgress ?? ((): void => undefined);
  const [command, ...args] = await findTimeSkippingServer(onProgress, process.env);
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const server = new ServerProcess(command, [...args, String(port)]);
  const ended = new AbortController();
  try {
    const answers = waitUntilAnswered(
      { address },
      (connection) => connection.workflowService.getSystemInfo({}),
      START_TIMEOUT_MS,
      ended.signal,
    );
    await Promise.race([answers, server.failure()]);
    const environment = await TimeSkippingEnvironment.at(address, server);
    if (options.searchAttributes ?? true) {
      await environment.connection.operatorService.addSearchAttributes({
        namespace: environment.namespace ?? 'default',
        searchAttributes: toIndexedValueTypes(),
      });
    }
    server.unref();
    return environment;
  } catch (cause) {
    ended.abort();
    await server.kill();
    if (cause instanceof HoldpointError) throw cause;
    throw new HoldpointError(
      'Holdpoint.Server.Failed',
      `The time-skipping server (${command}) did not start within ${START_TIMEOUT_MS} ms. If it is damaged, delete ` +
        `${cacheDirectory()} to have it fetched again. It printed:\n${server.output}`,
      { address },
      { cause },
    );
  }
}
