import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OnProgress } from './progress';
import { runCommand } from './run-command';

/** The release of Temporal's Java test server, the one that the SDK downloads as a native image. */
export const JAVA_SERVER_VERSION = '1.32.0';

const COPY_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
const FETCH_TIMEOUT_MS = 10 * 60_000;

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>holdpoint</groupId>
  <artifactId>time-skipping-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${JAVA_SERVER_VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-nop</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`;

/**
 * Puts Temporal's time-skipping server, as Java archives, into `target`, a folder. Returns false,
 * with the reason as progress, where Java or Maven is missing or the archives cannot be fetched.
 */
export async function installJavaServer(
  target: string,
  onProgress: OnProgress,
  env: NodeJS.ProcessEnv = process.env,
): Promise<boolean> {
  for (const [command, flag] of [
    ['java', '-version'],
    ['mvn', '-version'],
  ] as const) {
    const { failure } = await runCommand(command, [flag], { env, timeoutMs: 30_000 });
    if (failure === undefined) continue;
    onProgress(`No ${command} to run the time-skipping server with: ${failure}`);
    return false;
  }
  onProgress(
    `Fetching the time-skipping server with Maven, once (temporal-test-server ${JAVA_SERVER_VERSION})`,
  );
  await mkdir(dirname(target), { recursive: true });
  const fetching = await mkdtemp(`${target}-fetching-`);
  try {
    await writeFile(join(fetching, 'pom.xml'), POM);
    const { failure, output } = await runCommand(
      'mvn',
      ['-B', '-ntp', COPY_DEPENDENCIES, '-DincludeScope=runtime', '-DoutputDirectory=lib'],
      { cwd: fetching, env, timeoutMs: FETCH_TIMEOUT_MS },
    );
    if (failure !== undefined) {
      onProgress(`Maven ${failure}: ${output}`);
      return false;
    }
    // In place in one step, so that nobody ever starts half a class path.
    await rm(target, { recursive: true, force: true });
    await rename(fetching, target);
    onProgress(`Fetched the time-skipping server; it is kept in ${target}`);
    return true;
  } finally {
    await rm(fetching, { recursive: true, force: true });
  }
}

/** The command that runs what {@link installJavaServer} fetched; undefined when nothing is there. */
export async function javaServerCommand(target: string): Promise<readonly [string, ...string[]] | undefined> {
  const archives = join(target, 'lib');
  // The server is small and short-lived: a quick start is worth more than fast code.
  const flags = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
  return access(archives).then(
    () => ['java', ...flags, '-cp', join(archives, '*'), 'io.temporal.testserver.TestServer'],
    () => undefined,
  );
}
