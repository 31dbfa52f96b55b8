import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '../../src/client';
import { freePort, scriptedModel, type RecordedRequest, type ScriptedModel } from '../../src/testing';
import { newApiKey } from '../../src/config/api-key';
import { newId } from '../client/desk';
import { hasTmux, Terminal } from '../examples/terminal';
import { testServer } from '../support/test-server';
import { until } from '../support/until';
import { commandEnvironment, documentOf, holdpoint, program } from './command';
import { newProject, type Project } from './project';
import { turn } from './shop';

const AGENTS = `
import { defineAgent } from 'holdpoint';
import { refund } from './refund';
export default [defineAgent({ name: 'shop', model: 'scripted', tools: [refund] })];
`;

const refund = (version: string): string => `
import { defineTool } from 'holdpoint';
const paid: string = 'paid by ${version}';
export const refund = defineTool({ name: 'refund', description: 'Pays.', needsApproval: true, execute: () => paid });
`;

let project: Project;
let model: ScriptedModel;
let port: number;
beforeAll(async () => {
  project = newProject('commonjs', { 'agents.ts': AGENTS, 'refund.ts': refund('one') });
  model = await scriptedModel(refundOnce);
  port = await freePort();
});
afterAll(async () => {
  await model.close();
  project.remove();
});

/** Asks for the refund, and then says what came of it. */
function refundOnce({ body }: RecordedRequest) {
  const last = (body['messages'] as { role: string; content: string }[]).at(-1);
  return last?.role === 'tool' ? { content: `Result: ${last.content}` } : turn(['refund', 'c1']);
}

const there = (): string[] => ['--address', `127.0.0.1:${port}`];
const surroundings = () => ({ env: { OPENAI_BASE_URL: model.baseURL }, cwd: project.folder });

const inTerminal = hasTmux() ? test : test.skip;
const why = hasTmux() ? '' : ' (skipped: there is no tmux)';

inTerminal(
  `dev restarts its worker on a change, waits for a fix where there is a mistake, and keeps runs that wait${why}`,
  async () => {
    const env = commandEnvironment({ OPENAI_BASE_URL: model.baseURL });
    const terminal = await Terminal.open('dev', project.folder, env);
    const start = `"${process.execPath}" ${program()} dev agents.ts --port ${port}; echo "exit code $?"`;
    try {
      await terminal.type(start);
      await terminal.shows(/^Starting the worker$/m);
      const [, hint = ''] = await terminal.shows(/Try in another terminal:\n +(holdpoint run .*)\n/);
      expect(hint).toBe(`holdpoint run shop 'Hello' --address 127.0.0.1:${port}`);
      const [, page = ''] = await terminal.shows(/Temporal's page +(http:\S+)/);
      expect((await fetch(page)).status).toBe(200);
      const run = ['run', 'shop', 'Hello', ...there(), '--run-id', 'kept', '--json'];
      const halted = await holdpoint(run, surroundings());
      expect([halted.code, halted.stderr]).toEqual([3, '']);

      project.write('refund.ts', 'export const refund = ;');
      await terminal.shows(/agents\.ts cannot be compiled\. refund\.ts:1:22: .*\nWaiting for a change/);
      project.write('refund.ts', "throw new Error('not today');");
      await terminal.shows(/threw while it was loaded: not today \(refund\.ts:1:\d+\)\nWaiting for a change/);
      project.write('refund.ts', refund('two'));
      const [, worker = ''] = await terminal.shows(/not today[^]*Worker +shop \(process (\d+)\)/);
      expect(await terminal.screen()).not.toMatch(/^\s+at /m);

      const server = devRecord();
      await terminal.press('C-c');
      await terminal.shows(/Stopped\. Runs that wait are kept in \.holdpoint\.\s+exit code 0$/m);
      for (const pid of [server.pid, Number(worker)]) expect(() => process.kill(pid, 0)).toThrow('ESRCH');

      await terminal.typeAnew(`${start}`);
      await terminal.shows(/Worker +shop/);
      const done = await holdpoint(['answer', 'kept', '--approve', '--wait', ...there()], surroundings());
      expect(done).toMatchObject({ code: 0, stdout: 'Result: paid by two\n' });
    } finally {
      await terminal.close();
    }
    // The terminal was closed under it: the hang-up ended all of it.
    await until('the server has ended', async () => !(await listens(port)));
  },
  300_000,
);

test('with --json dev tells each event in a line; a second one in the folder is refused; SIGKILL leaves no process', async () => {
  const { child, events, until: came } = startDev({}, '--port', String(port));
  await came('ready');
  expect(events).toMatchObject([
    { event: 'server', address: `127.0.0.1:${port}` },
    { event: 'api' },
    { event: 'ready', agents: ['shop'] },
  ]);
  const { url, inbox, key } = events[1] as Record<string, string>;
  expect((await fetch(String(inbox), { redirect: 'manual' })).status).toBe(302);
  const listed = await fetch(`${url}/v1/runs`, { headers: { authorization: `Bearer ${key}` } });
  expect(listed.status).toBe(200);
  expect((await fetch(`${url}/v1/runs`)).status).toBe(401);
  const second = await holdpoint(['dev', 'agents.ts', '--port', String(port), '--json'], surroundings());
  expect(second.code).toBe(6);
  expect(second.stderr).toContain(`runs in this folder already: process ${child.pid}`);

  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const worker = Number(events[2]?.['pid']);
  await until('the worker has ended', () => !isThere(worker));
  await until('the server has ended', async () => !(await listens(port)));
}, 120_000);

test('dev uses the server that is configured and leaves it alone; SIGTERM ends the worker, and dev with 0', async () => {
  const { address } = testServer();
  const { child, events, until: came } = startDev({ TEMPORAL_ADDRESS: address }, '--task-queue', newId());
  await came('ready');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(events).toMatchObject([
    { event: 'server', address },
    { event: 'api' },
    { event: 'ready' },
    { event: 'ended' },
  ]);
  expect(isThere(Number(events[2]?.['pid']))).toBe(false);
  expect(await listens(Number(address.split(':')[1]))).toBe(true);
}, 120_000);

const TURNED = `
const name = (text: string) => new TextEncoder().encode(text);
const turned = (data: Uint8Array) => Uint8Array.from(data).reverse();
const isTurned = ({ metadata }: any) => Buffer.from(metadata.encoding).toString() === 'binary/turned';
export const payloadCodecs = [
  {
    encode: async (all: any[]) =>
      all.map(({ metadata, data }) => ({
        metadata: { encoding: name('binary/turned'), was: metadata.encoding },
        data: turned(data ?? name('')),
      })),
    decode: async (all: any[]) =>
      all.map((one) => (isTurned(one) ? { metadata: { encoding: one.metadata.was }, data: turned(one.data) } : one)),
  },
];
`;

test('dev gives its worker, and the API, the data options that its commands are given', async () => {
  project.write('data.ts', TURNED);
  const env = { TEMPORAL_ADDRESS: testServer().address, OPENAI_BASE_URL: model.baseURL };
  const queue = ['--task-queue', newId()];
  const data = ['--data-options', 'data.ts'];
  const { child, events, until: came } = startDev(env, ...queue, ...data);
  await came('ready');
  const runId = newId();
  const run = ['run', 'shop', 'Hello', '--run-id', runId, '--json', ...queue, ...data];
  expect((await holdpoint(run, { env, cwd: project.folder })).code).toBe(3);
  const { url, key } = events[1] as Record<string, string>;
  const read = await fetch(`${url}/v1/runs/${runId}`, { headers: { authorization: `Bearer ${key}` } });
  expect(await read.json()).toMatchObject({ status: 'pending', pending: { kind: 'approval' } });
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}, 120_000);

const SLOW = `
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { defineAgent, defineTool } from 'holdpoint';
const work = defineTool({ name: 'work', description: 'Works.', async execute() {
  writeFileSync('begun', '');
  await delay(1_500);
  writeFileSync('finished', '');
  return 'worked';
} });
export default [defineAgent({ name: 'slow', model: 'scripted', tools: [work] })];
`;

test.each<[string, (child: ReturnType<typeof startDev>) => unknown]>([
  [
    'a signal while the worker is being replaced',
    async ({ child, until: came }) => {
      project.write('agents.ts', `${SLOW}\n`);
      await came('changed');
      child.kill('SIGTERM');
    },
  ],
  [
    'a reader of its output that leaves',
    ({ child }) => {
      child.stdout.destroy();
      project.write('agents.ts', `${SLOW}\n`);
    },
  ],
])(
  '%s ends dev once the calls under way have finished',
  async (_, end) => {
    for (const name of ['begun', 'finished']) rmSync(join(project.folder, name), { force: true });
    project.write('agents.ts', SLOW);
    const worker = await scriptedModel(() => turn(['work', 'c1']));
    const env = { TEMPORAL_ADDRESS: testServer().address, OPENAI_BASE_URL: worker.baseURL };
    const taskQueue = newId();
    const dev = startDev(env, '--task-queue', taskQueue);
    try {
      await dev.until('ready');
      const ended = once(dev.child, 'exit');
      const desk = await createClient({ address: testServer().address, taskQueue });
      await desk.start('slow', 'Work');
      await until('the call is under way', () => existsSync(join(project.folder, 'begun')));
      await end(dev);
      expect(await ended).toEqual([0, null]);
      expect(existsSync(join(project.folder, 'finished'))).toBe(true);
      await desk.disconnect();
    } finally {
      dev.child.kill('SIGKILL');
      project.write('agents.ts', AGENTS);
      await worker.close();
    }
  },
  120_000,
);

test('dev with a configuration of its own names its keys, or how to make one', async () => {
  const { entry } = newApiKey({ name: 'shop', scopes: ['runs:read'], roles: [] });
  for (const [keys, text] of [
    [[entry], /Keys +shop \(of own\.json\)/],
    [[], /Keys +none[^]*holdpoint keys create .*--config own\.json/],
  ] as const) {
    project.write('own.json', JSON.stringify({ keys }));
    const child = spawn(process.execPath, [program(), 'dev', 'agents.ts', '--config', 'own.json'], {
      cwd: project.folder,
      env: commandEnvironment({ TEMPORAL_ADDRESS: testServer().address }),
    });
    let told = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => (told += String(part)));
    await until('the keys are told', () => text.test(told));
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}, 120_000);

test('a port that is taken is refused, and the message says by whom', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const taken = String(typeof address === 'object' ? address?.port : '');
  const dev = ['dev', 'agents.ts', '--json', '--port'];
  const byOther = await holdpoint([...dev, taken], surroundings());
  other.close();
  expect(byOther.code).toBe(6);
  expect(documentOf(byOther)).toMatchObject({ error: { type: 'Holdpoint.Server.PortTaken' } });
  expect(byOther.stderr).toMatch(/Port \d+ .* taken by another program\. .* --port <n>/);

  const temporal = testServer().address;
  const byTemporal = await holdpoint([...dev, temporal.split(':')[1] ?? ''], surroundings());
  expect(byTemporal.stderr).toContain(`listens at ${temporal} already. Use it with --address ${temporal}`);
});

/** Starts dev with --json; `until` resolves once it has told an event. */
function startDev(env: NodeJS.ProcessEnv, ...options: readonly string[]) {
  const child = spawn(process.execPath, [program(), 'dev', 'agents.ts', '--json', ...options], {
    cwd: project.folder,
    env: commandEnvironment(env),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const events: Record<string, unknown>[] = [];
  const lines = createInterface({ input: child.stdout }).on('line', (line) =>
    events.push(JSON.parse(line) as Record<string, unknown>),
  );
  const came = async (event: string): Promise<void> => {
    while (!events.some((known) => known['event'] === event)) await once(lines, 'line');
  };
  return { child, events, until: came };
}

function devRecord(): { readonly pid: number } {
  return JSON.parse(readFileSync(join(project.folder, '.holdpoint/dev.json'), 'utf8')) as { pid: number };
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether somebody listens on the port. */
function listens(on: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(true));
    probe.listen(on, '127.0.0.1', () => probe.close(() => resolve(false)));
  });
}
