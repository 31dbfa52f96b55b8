import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findServerBinary, type BinarySource } from '../../src/testing/server-binary';
import { BUILD_NAME, goBuildTemporal } from '../../src/testing/go-build';

let root: string;
let env: NodeJS.ProcessEnv;
let progress: string[];
const onProgress = (line: string): void => void progress.push(line);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'holdpoint-binary-'));
  env = { PATH: join(root, 'path'), HOLDPOINT_CACHE_DIR: join(root, 'cache') };
  progress = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function executable(path: string, script: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const onPath = (version: string): Promise<string> =>
  executable(join(root, 'path', 'temporal'), `echo "temporal version 1.0 (Server ${version}, UI 2.0)"`);
const built = (): Promise<string> => executable(join(root, 'cache', BUILD_NAME, 'temporal'), 'true');
const downloaded = (): Promise<string> =>
  executable(join(root, 'cache', 'temporal-cli-sdk', 'temporal-sdk-typescript-1.23.0'), 'true');

const unused: BinarySource = async () => {
  throw new Error('was asked although an earlier place had it');
};
const nothing: BinarySource = async () => undefined;

test('a temporal command on the PATH comes before the cache', async () => {
  await built();
  const path = await onPath('1.29.1');
  expect(await findServerBinary({ env, onProgress }, undefined, [unused])).toBe(path);
});

test.each(['1.27.9', '0.9.0'])(
  'a command on the PATH with server %s is passed over, and said so',
  async (old) => {
    await onPath(old);
    const path = await built();
    expect(await findServerBinary({ env, onProgress }, undefined, [unused])).toBe(path);
    expect(progress.join()).toContain('needed is server 1.28 or newer');
  },
);

test('a command that is not Temporal is passed over', async () => {
  await executable(join(root, 'path', 'temporal'), 'echo something else; exit 3');
  const path = await downloaded();
  expect(await findServerBinary({ env, onProgress }, undefined, [unused])).toBe(path);
});

test('what an earlier run downloaded or built is found without fetching', async () => {
  const path = await built();
  expect(await findServerBinary({ env, onProgress }, undefined, [unused])).toBe(path);
  expect(progress).toEqual([]);
});

test('a half-finished download is not taken for a server', async () => {
  await executable(
    join(root, 'cache', 'temporal-cli-sdk', 'temporal-sdk-typescript-1.23.0.downloading'),
    'true',
  );
  await expect(findServerBinary({ env, onProgress }, undefined, [nothing])).rejects.toMatchObject({
    type: 'Holdpoint.Server.NotFound',
  });
});

test('places to fetch from are asked in order, each only when the one before has none', async () => {
  const found: BinarySource = async () => '/fetched/temporal';
  expect(await findServerBinary({ env, onProgress }, undefined, [nothing, found, unused])).toBe(
    '/fetched/temporal',
  );
});

test('two searches at once fetch only once', async () => {
  let fetches = 0;
  const fetch: BinarySource = async () => {
    fetches += 1;
    return built();
  };
  const search = (): Promise<string> => findServerBinary({ env, onProgress }, undefined, [fetch]);
  const [one, two] = await Promise.all([search(), search()]);
  expect(one).toBe(two);
  expect(fetches).toBe(1);
  expect(progress).toEqual(['Waiting for another process that is fetching the Temporal server']);
});

test('a failed fetch leaves no lock behind', async () => {
  const fails: BinarySource = async () => {
    throw new Error('disk full');
  };
  await expect(findServerBinary({ env, onProgress }, undefined, [fails])).rejects.toThrow('disk full');
  expect(await findServerBinary({ env, onProgress }, undefined, [built])).toContain('temporal');
});

test('with Go on the PATH the server is built into the cache, with progress', async () => {
  await executable(
    join(root, 'path', 'go'),
    'if [ "$1 $2 $6" = "build -C -o" ]; then echo one/package >&2; ' +
      '/bin/grep sqlite "$3/go.mod" > "$7"; /bin/chmod +x "$7"; fi',
  );
  const target = join(root, 'cache', 'built', 'temporal');
  expect(await goBuildTemporal(target, onProgress, env)).toBe(true);
  expect(await readFile(target, 'utf8')).toContain('modernc.org/sqlite v1.51.0');
  expect(progress[0]).toMatch(/^Building the Temporal server with Go, once.*@v1\.5\.1/);
  expect(progress.at(-1)).toContain(target);
});

test('where nothing works the error names what to install', async () => {
  const search = findServerBinary({ env, onProgress }, undefined, [nothing]);
  await expect(search).rejects.toMatchObject({
    type: 'Holdpoint.Server.NotFound',
    message: expect.stringMatching(/Install the Temporal CLI .* or Go .*, or set TEMPORAL_ADDRESS/) as string,
  });
});
