import { TestWorkflowEnvironment } from '@temporalio/testing';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldpointError } from '../agent/errors';
import { cacheDirectory } from './cache-directory';
import { withCacheLock } from './cache-lock';
import { installJavaServer, JAVA_SERVER_VERSION, javaServerLauncher } from './java-server';
import type { OnProgress } from './progress';
import { downloadWithSdk, findSdkDownload } from './sdk-download';
import { toIndexedValueTypes } from './search-attributes';

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
 * It cannot list runs. `teardown()` ends it.
 *
 * Throws `HoldpointError`: `Holdpoint.Server.NotFound` (says what to install), `Holdpoint.Server.Failed`.
 *
 * @example
 * const environment = await startTimeSkippingServer();
 * await environment.sleep('30 days');
 */
export async function startTimeSkippingServer(
  options: TimeSkippingOptions = {},
): Promise<TestWorkflowEnvironment> {
  const path = await findTimeSkippingServer(options.onProgress ?? ((): void => undefined), process.env);
  let environment: TestWorkflowEnvironment;
  try {
    environment = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    });
  } catch (cause) {
    throw new HoldpointError(
      'Holdpoint.Server.Failed',
      `The time-skipping server ${path} did not start. If it is damaged, delete it to have it fetched again; ` +
        'the Java one needs `java` 11 or newer on the PATH.',
      { path },
      { cause },
    );
  }
  if (options.searchAttributes ?? true) {
    await environment.connection.operatorService.addSearchAttributes({
      namespace: environment.namespace ?? 'default',
      searchAttributes: toIndexedValueTypes(),
    });
  }
  return environment;
}

/** The path of an executable, from the cache or fetched into it. */
export async function findTimeSkippingServer(
  onProgress: OnProgress,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const cache = cacheDirectory(env);
  const downloads = join(cache, 'time-skipping-sdk');
  const java = join(cache, `time-skipping-java-${JAVA_SERVER_VERSION}`);
  const cached = async (): Promise<string | undefined> =>
    (await findSdkDownload(downloads)) ?? (await launcherIn(java));
  const present = await cached();
  if (present !== undefined) return present;

  const onWait = (): void =>
    onProgress('Waiting for another process that is fetching the time-skipping server');
  const found = await withCacheLock(`${java}.lock`, onWait, async () => {
    // The process that held the lock may just have put it there.
    const path = (await cached()) ?? (await downloadWithSdk('time-skipping', downloads, onProgress));
    if (path !== undefined) return path;
    return (await installJavaServer(java, onProgress, env)) ? javaServerLauncher(java) : undefined;
  });
  if (found !== undefined) return found;
  throw new HoldpointError(
    'Holdpoint.Server.NotFound',
    'Found no time-skipping server: the Temporal SDK could not download one, and Maven could not fetch the Java ' +
      `one into ${cache}. Allow the SDK's download, or install Java 11 or newer and Maven (for example ` +
      '`apt-get install default-jre-headless maven`).',
  );
}

async function launcherIn(java: string): Promise<string | undefined> {
  const launcher = javaServerLauncher(java);
  return access(launcher, constants.X_OK).then(
    () => launcher,
    () => undefined,
  );
}
