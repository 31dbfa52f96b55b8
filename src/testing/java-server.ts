import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
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

// The SDK ends the server when it is asked to, not when its own process is killed: the loop does.
const LAUNCHER = `#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
(while kill -0 $PPID && kill -0 $$; do sleep 2; done; kill -9 $$) </dev/null >/dev/null 2>&1 &
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$here/lib/*" io.temporal.testserver.TestServer "$@"
`;

/**
 * Puts Temporal's time-skipping server, as Java archives and a launcher, at `target`, a folder. Returns false,
 * with the reason as progress, where Java or Maven is missing or the archives cannot be fetched.
 */
export async function installJavaServer(
  target: string,
  onProgress: OnProgress,
  env: NodeJS.ProcessEnv = process.env,
): Promise<boolean> {
  if (process.platform === 'win32') return false;
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
    await writeFile(join(fetching, 'server'), LAUNCHER);
    await chmod(join(fetching, 'server'), 0o755);
    // In place in one step, so that nobody ever starts half a class path.
    await rm(target, { recursive: true, force: true });
    await rename(fetching, target);
    onProgress(`Fetched the time-skipping server; it is kept in ${target}`);
    return true;
  } finally {
    await rm(fetching, { recursive: true, force: true });
  }
}

/** The launcher in the folder that {@link installJavaServer} made. */
export function javaServerLauncher(target: string): string {
  return join(target, 'server');
}
