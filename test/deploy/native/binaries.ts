import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheDirectory } from '../../../src/testing/cache-directory';
import { runCommand } from '../../../src/testing/run-command';
import { findServerBinary } from '../../../src/testing/server-binary';
import type { ComposeFile } from '../compose-file';
import { say } from './say';

/** What the images hold, as files of this machine. */
export interface Binaries {
  readonly temporalServer: string;
  readonly temporalSqlTool: string;
  readonly temporal: string;
  /** A folder with `ui-server` and `config/docker.yaml`, as the image's home is. */
  readonly uiHome: string;
  /** A folder with `initdb`, `postgres` and `pg_isready`. */
  readonly postgres: string;
}

const BUILD_TIMEOUT_MS = 45 * 60_000;
const SERVER = 'go.temporal.io/server';
const UI = 'github.com/temporalio/ui-server/v2';

/** Finds each, or builds it with Go at the version that the compose file names. Says what to install when it cannot. */
export async function findBinaries(compose: ComposeFile, env = process.env): Promise<Binaries> {
  const version = versionOf(compose, 'temporal');
  const uiVersion = versionOf(compose, 'temporal-ui');
  return {
    postgres: findPostgres(versionOf(compose, 'postgres'), env),
    temporalServer:
      env.TEMPORAL_SERVER_BIN ?? (await built('temporal-server', SERVER, 'cmd/server', version)),
    temporalSqlTool:
      env.TEMPORAL_SQL_TOOL_BIN ?? (await built('temporal-sql-tool', SERVER, 'cmd/tools/sql', version)),
    temporal: env.TEMPORAL_BIN ?? (await findServerBinary({ env, onProgress: say })),
    uiHome: env.TEMPORAL_UI_HOME ?? (await uiHome(uiVersion)),
  };
}

/** `15.18` of `postgres:15.18-bookworm`. */
export function versionOf(compose: ComposeFile, service: string): string {
  const [, version] = /:([\d.]+)/.exec(compose.services[service]?.image ?? '') ?? [];
  if (version === undefined) throw new Error(`The compose file gives no version for ${service}`);
  return version;
}

function findPostgres(version: string, env: NodeJS.ProcessEnv): string {
  const [major = ''] = version.split('.');
  const folder = env.POSTGRES_BIN ?? `/usr/lib/postgresql/${major}/bin`;
  if (existsSync(join(folder, 'initdb'))) return folder;
  throw new Error(
    `No PostgreSQL ${major} in ${folder}. Install it (Debian: apt-get install postgresql-${major}), or set POSTGRES_BIN to the folder that has initdb.`,
  );
}

/** Kept in the cache, by name and version. */
async function built(name: string, module: string, command: string, version: string): Promise<string> {
  const target = join(cacheDirectory(), `deploy-${version}`, name);
  if (!existsSync(target)) await goInstall(`${module}/${command}@v${version}`, target);
  return target;
}

async function uiHome(version: string): Promise<string> {
  const home = join(cacheDirectory(), `deploy-ui-${version}`);
  if (existsSync(join(home, 'config/docker.yaml'))) return home;
  await goInstall(`${UI}/cmd/server@v${version}`, join(home, 'ui-server'));
  const { output, failure } = await runCommand('go', ['mod', 'download', '-json', `${UI}@v${version}`], {
    timeoutMs: BUILD_TIMEOUT_MS,
  });
  const [, source] = /"Dir": "([^"]+)"/.exec(output) ?? [];
  if (source === undefined) throw new Error(`go mod download ${failure ?? 'gave no folder'}: ${output}`);
  await mkdir(join(home, 'config'), { recursive: true });
  await copyFile(join(source, 'config/docker.yaml'), join(home, 'config/docker.yaml'));
  return home;
}

/** Built beside its place and then moved there, so that nobody ever runs half a binary. */
async function goInstall(what: string, target: string): Promise<void> {
  say(`Building ${what} with Go, once; this takes some minutes`);
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(`${target}-building-`);
  const env = { ...process.env, GOBIN: folder };
  const { failure, output } = await runCommand('go', ['install', what], { env, timeoutMs: BUILD_TIMEOUT_MS });
  const [, made = ''] = /\/([^/]+)@/.exec(what) ?? [];
  if (failure === undefined) await rename(join(folder, made), target);
  await rm(folder, { recursive: true, force: true });
  if (failure !== undefined)
    throw new Error(
      `Could not build ${what} (${failure}). Install Go, or set TEMPORAL_SERVER_BIN, TEMPORAL_SQL_TOOL_BIN and TEMPORAL_UI_HOME to what you have.\n${output}`,
    );
}
