import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isRecord } from '../../src/agent/json';
import { demoEnvironment, ROOT } from '../examples/demo-environment';
import { newId } from '../client/desk';
import { testServer } from '../support/test-server';

// Builds, packs and installs: seconds each, and the registry is asked.
jest.setTimeout(600_000);

const execute = promisify(execFile);

let folder: string;
let tarball: string;
let project: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'holdpoint-package-')));
  project = join(folder, 'my-agents');
  const { address, namespace } = testServer();
  env = demoEnvironment({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace });
  await run(ROOT, 'npm', 'run', '--silent', 'build');
  await run(ROOT, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder);
  const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  tarball = join(folder, name);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command to its end, which must be a good one, and gives what it wrote on standard output. */
async function run(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await execute(command, args, { cwd, env, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

test('exports and types are right for every way to import them, as public linters see it', async () => {
  const publint = await run(ROOT, join(ROOT, 'node_modules/.bin/publint'), '--strict', tarball);
  expect(publint).toMatch(/All good!/);
  const attw = join(ROOT, 'node_modules/.bin/attw');
  const types = await run(ROOT, attw, '--format', 'json', '--profile', 'node16', tarball);
  const { analysis } = JSON.parse(types) as { analysis: { problems: { resolutionKind?: string }[] } };
  // Node 10 knows no exports; this package needs Node 20.
  expect(analysis.problems.filter(({ resolutionKind }) => resolutionKind !== 'node10')).toEqual([]);
});

test('an installed package makes a project whose test passes, whose worker works and whose command answers', async () => {
  await run(folder, 'npm', 'init', '-y');
  await run(folder, 'npm', 'install', '--no-audit', '--no-fund', tarball);
  const made = await run(folder, 'npx', 'holdpoint', 'init', 'my-agents', '--json');
  expect(JSON.parse(made)).toMatchObject({ folder: project });
  await expect(run(folder, 'npx', 'holdpoint', 'init', 'my-agents')).rejects.toThrow(/is not empty/);

  // What the registry would give: the package that is being tested.
  await run(project, 'npm', 'pkg', 'set', `dependencies.holdpoint=file:${tarball}`);
  await run(project, 'npm', 'install', '--no-audit', '--no-fund');
  await run(project, 'npm', 'run', 'types');
  expect(await run(project, 'npm', 'test')).toMatch(/pass 2\b/);

  const taskQueue = newId();
  const holdpoint = join(project, 'node_modules/.bin/holdpoint');
  const worker = spawn(holdpoint, ['worker', 'agents.ts', '--task-queue', taskQueue], {
    cwd: project,
    env,
    stdio: 'ignore',
  });
  const ended = once(worker, 'exit');
  try {
    // Exit code 3: the run waits.
    const text = 'Please refund order 1047';
    const halt = run(project, holdpoint, 'run', 'desk', text, '--task-queue', taskQueue, '--json');
    const { code, stdout } = (await halt.catch((error: unknown) => error)) as {
      code: number;
      stdout: string;
    };
    expect(code).toBe(3);
    const halted: unknown = JSON.parse(stdout);
    if (!isRecord(halted)) throw new Error(stdout);
    expect(halted).toMatchObject({ status: 'pending', pending: { kind: 'approval' } });
    const runId = String(halted['runId']);
    expect(await run(project, holdpoint, 'answer', runId, '--approve', '--wait')).toContain(
      'Paid 89.9 EUR back for order 1047.',
    );
    expect(await run(project, holdpoint, 'show', runId)).toContain('lookup_order');
  } finally {
    worker.kill('SIGTERM');
    await ended;
  }
});
