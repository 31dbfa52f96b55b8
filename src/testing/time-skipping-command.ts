import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldpointError } from '../agent/errors';
import { withFileLock } from '../files/file-lock';
import { cacheDirectory } from './cache-directory';
import { installJavaServer, JAVA_SERVER_VERSION, javaServerCommand } from './java-server';
import type { OnProgress } from './progress';
import { downloadWithSdk, findSdkDownload } from './sdk-download';

/** A command and its arguments, to which the port is to be added. */
type Command = readonly [string, ...string[]];

/**
 * Finds the time-skipping server in the cache, or fetches it there: by the SDK's download, else as Java
 * archives. Throws `Holdpoint.Server.NotFound`, which says what to install, when there is none.
 */
export async function findTimeSkippingServer(
  onProgress: OnProgress,
  env: NodeJS.ProcessEnv,
): Promise<Command> {
  const cache = cacheDirectory(env);
  const downloads = join(cache, 'time-skipping-sdk');
  const java = join(cache, `time-skipping-java-${JAVA_SERVER_VERSION}`);
  const cached = async (): Promise<Command | undefined> =>
    toCommand(await findSdkDownload(downloads)) ?? (await javaServerCommand(java));
  const present = await cached();
  if (present !== undefined) return present;

  const onWait = (): void =>
    onProgress('Waiting for another process that is fetching the time-skipping server');
  await mkdir(cache, { recursive: true });
  const found = await withFileLock(
    `${java}.lock`,
    async () => {
      // The process that held the lock may just have put it there.
      const there =
        (await cached()) ?? toCommand(await downloadWithSdk('time-skipping', downloads, onProgress));
      if (there !== undefined) return there;
      return (await installJavaServer(java, onProgress, env)) ? javaServerCommand(java) : undefined;
    },
    onWait,
  );
  if (found !== undefined) return found;
  throw new HoldpointError(
    'Holdpoint.Server.NotFound',
    'Found no time-skipping server: the Temporal SDK could not download one, and Maven could not fetch the Java ' +
      `one into ${cache}. Allow the SDK's download, or install Java 11 or newer and Maven (for example ` +
      '`apt-get install default-jre-headless maven`).',
  );
}

function toCommand(executable: string | undefined): Command | undefined {
  return executable === undefined ? undefined : [executable];
}
