import { chown, copyFile, cp, link, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from '../../../src/testing/run-command';
import type { ComposeService } from '../compose-file';
import type { Binaries } from './binaries';
import { AS_NOBODY, NOBODY, type Recipe } from './container';
import type { WorkerImage } from './worker-image';

/** Where everything of one check is. */
export interface Place {
  /** The repository. */
  readonly root: string;
  /** A new folder, which every user can enter. */
  readonly folder: string;
  readonly binaries: Binaries;
  readonly workerImage: WorkerImage;
}

/** The commands of Temporal's images, by the names that they have there. */
export async function installCommands({ folder, binaries }: Place): Promise<void> {
  const commands = {
    'temporal-server': binaries.temporalServer,
    'temporal-sql-tool': binaries.temporalSqlTool,
    temporal: binaries.temporal,
  };
  await mkdir(join(folder, 'bin'), { recursive: true });
  for (const [name, path] of Object.entries(commands)) {
    // A cache in the home of root is closed to the user that runs this; a link opens the file alone.
    await link(path, join(folder, 'bin', name)).catch(() => copyFile(path, join(folder, 'bin', name)));
  }
  await cp(binaries.uiHome, join(folder, 'ui'), { recursive: true });
}

/** How a service of the compose file is started here: its command or its image's, paths of mounts replaced. */
export async function toRecipe(name: string, service: ComposeService, place: Place): Promise<Recipe> {
  const { folder, binaries } = place;
  const mounts = await mount(service, place);
  const local = (text: string): string => {
    const [target, path] = mounts.find(([at]) => text === at || text.startsWith(`${at}/`)) ?? [];
    return target === undefined || path === undefined ? text : path + text.slice(target.length);
  };
  const image = await imageOf(service, place, mounts);
  const env = { ...image.env, ...service.environment };
  return {
    argv: [...(service.entrypoint ?? image.entrypoint), ...(service.command ?? image.command)].map(local),
    cwd: image.cwd,
    env: {
      // Docker gives a user of an image its home.
      HOME: folder,
      PATH: [join(folder, 'bin'), binaries.postgres, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
      ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, local(value)])),
    },
    logFile: join(folder, `${name}.log`),
  };
}

/** Copies of what is mounted, which the services' user can read, and a folder for each volume. */
async function mount(service: ComposeService, { root, folder }: Place): Promise<[string, string][]> {
  const mounts: [string, string][] = [];
  for (const volume of service.volumes) {
    const [source = '', target = ''] = volume.split(':');
    const path = join(folder, 'mounts', source);
    if (source.startsWith('.')) await cp(join(root, source), path, { recursive: true });
    else await mkdir(path, { recursive: true });
    mounts.push([target, path]);
  }
  return mounts;
}

interface ImageDefaults {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What an image does without `entrypoint` and `command`. */
async function imageOf(
  { image, environment }: ComposeService,
  { folder, workerImage, binaries }: Place,
  mounts: readonly [string, string][],
): Promise<ImageDefaults> {
  const none = { entrypoint: [], command: [], cwd: folder, env: {} };
  switch (image.split(':')[0]) {
    case 'postgres': {
      const data = join(mounts[0]?.[1] ?? folder, 'data');
      await createCluster(data, environment, folder, binaries.postgres);
      // The image listens on every address; its socket's folder is not writable here.
      const sockets = dirname(data);
      const command = ['postgres', '-D', data, '-c', 'listen_addresses=*', '-k', sockets];
      return { ...none, command, env: { PGHOST: sockets } };
    }
    case 'temporalio/ui':
      return { ...none, command: ['./ui-server', '--env', 'docker', 'start'], cwd: join(folder, 'ui') };
    case 'holdpoint-worker':
      return { ...none, entrypoint: workerImage.entrypoint, cwd: workerImage.workdir, env: workerImage.env };
    default:
      return none;
  }
}

/** As the image does when its volume is empty. */
async function createCluster(
  data: string,
  environment: Readonly<Record<string, string>>,
  folder: string,
  postgres: string,
): Promise<void> {
  const passwordFile = join(folder, 'postgres-password');
  await writeFile(passwordFile, environment['POSTGRES_PASSWORD'] ?? '');
  await mkdir(data, { recursive: true });
  for (const path of [passwordFile, data, dirname(data)]) await chown(path, NOBODY, NOBODY);
  const user = environment['POSTGRES_USER'] ?? 'postgres';
  const args = ['--pgdata', data, '--username', user, '--pwfile', passwordFile, '--auth-host=scram-sha-256'];
  const { failure, output } = await runCommand(
    'setpriv',
    [...AS_NOBODY, join(postgres, 'initdb'), ...args, '--auth-local=trust'],
    { cwd: folder, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' }, timeoutMs: 60_000 },
  );
  if (failure !== undefined) throw new Error(`initdb ${failure}:\n${output}`);
}
