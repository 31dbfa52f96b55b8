import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { createClient } from '../../src/client';
import { newId } from '../client/desk';
import { containing } from '../support/matchers';
import { until } from '../support/until';
import { testServer } from '../support/test-server';
import { withScriptedModel } from '../support/with-scripted-model';
import { commandEnvironment, holdpoint, program } from './command';
import { newProject, type Project } from './project';
import { turn } from './shop';

const AGENTS = `
import { defineAgent } from 'holdpoint';
import { fetchIt } from './fetch-it.js';
export const agents = [defineAgent({ name: 'slow', model: 'scripted', tools: [fetchIt] })];
`;

const FETCH_IT = `
import { defineTool } from 'holdpoint';
interface Place { readonly url: string }
const place: Place = { url: process.env['PLACE'] ?? '' };
export const fetchIt = defineTool({
  name: 'fetch_it', description: 'Fetches it.', execute: async () => (await fetch(place.url)).text(),
});
`;

let project: Project;
let place: Server;
beforeAll(() => {
  project = newProject('module', {
    'agents.ts': AGENTS,
    'fetch-it.ts': FETCH_IT,
    'broken.ts': 'export const agents = [;',
    'throws.ts': "import './inner.js';",
    'inner.ts': "throw new Error('no luck');",
    'lost.ts': "import './nowhere.js';",
  });
  place = createServer().listen(0, '127.0.0.1');
});
afterAll(() => {
  place.close();
  project.remove();
});

test('SIGTERM lets a call under way finish and ends the worker with 0, though another follows; its logs are lines of JSON', async () => {
  const turns = [turn(['fetch_it', 'f1']), { content: 'Fetched.' }];
  await withScriptedModel(turns, async ({ baseURL }) => {
    const { address, namespace } = testServer();
    const taskQueue = newId();
    const address0 = place.address();
    const port = typeof address0 === 'object' ? address0?.port : undefined;
    const env = { TEMPORAL_ADDRESS: address, OPENAI_BASE_URL: baseURL, PLACE: `http://127.0.0.1:${port}/` };
    const args = ['worker', 'agents.ts', '--task-queue', taskQueue, '--json', '--grace', '50s'];
    const worker = spawn(process.execPath, [program(), ...args], {
      cwd: project.folder,
      env: commandEnvironment(env),
    });
    const ended = once(worker, 'close');
    let logs = '';
    worker.stderr.on('data', (part: Buffer) => (logs += part.toString()));
    const told = createInterface({ input: worker.stdout })[Symbol.asyncIterator]();
    const ready = await told.next();
    expect(JSON.parse(String(ready.value))).toEqual({
      event: 'ready',
      agents: ['slow'],
      taskQueue,
      pid: worker.pid,
    });
    await using client = await createClient({ address, namespace, taskQueue });
    const { runId } = await client.start('slow', 'Fetch it.');
    const [, response] = (await once(place, 'request')) as [unknown, ServerResponse];
    worker.kill('SIGTERM');
    await until('it stops', () => logs.includes('STOPPING'));
    worker.kill('SIGTERM');
    response.end('here it is');
    expect(await ended).toEqual([0, null]);
    expect(JSON.parse(String((await told.next()).value))).toEqual({ event: 'ended' });
    for (const line of logs.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ name: 'holdpoint' });

    const second = spawn(process.execPath, [program(), ...args], {
      cwd: project.folder,
      env: commandEnvironment(env),
      stdio: 'ignore',
    });
    const [call] = (await client.result(runId)).toolCalls;
    expect(call?.output).toBe('here it is');
    second.kill('SIGTERM');
    expect(await once(second, 'exit')).toEqual([0, null]);
  });
}, 180_000);

test('a worker tells when the webhooks of its configuration change, and when their events will hold no links', async () => {
  const { address } = testServer();
  const crm = {
    id: 'crm',
    url: 'https://crm.test/',
    secrets: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`],
  };
  project.write('hooks.json', JSON.stringify({ webhooks: { endpoints: [crm] } }));
  const args = ['worker', 'agents.ts', '--task-queue', newId(), '--config', 'hooks.json', '--grace', '1s'];
  const worker = spawn(process.execPath, [program(), ...args], {
    cwd: project.folder,
    env: commandEnvironment({ TEMPORAL_ADDRESS: address, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let logs = '';
  worker.stderr.on('data', (part: Buffer) => (logs += part.toString()));
  await until('it warns', () => logs.includes('hold no links to answer with'));
  project.write('hooks.json', JSON.stringify({ webhooks: { endpoints: [{ ...crm, id: 'erp' }] } }));
  await until('it tells', () => logs.includes('The webhooks have changed: erp.'));
  expect(logs).toContain('The configuration has changed and is in use.');
  expect(logs).not.toMatch(/crm\.test|whsec_/);
  const ended = once(worker, 'exit');
  worker.kill('SIGTERM');
  await ended;
}, 120_000);

test.each([
  ['broken.ts', 'broken.ts cannot be compiled. broken.ts:1:23: '],
  ['throws.ts', 'throws.ts threw while it was loaded: no luck (inner.ts:1:7)'],
  ['lost.ts', 'lost.ts imports what is not there: '],
  ['gone.ts', 'There is no file '],
])('a file that cannot be loaded is a sentence with its place, exit 2: %s', async (file, message) => {
  const { code, stdout, stderr } = await holdpoint(['worker', file], { cwd: project.folder });
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: containing(message) });
  expect(stderr).not.toMatch(/^\s+at /m);
});

test('HOLDPOINT_DEBUG shows where an error comes from', async () => {
  const { stderr } = await holdpoint(['worker', 'throws.ts'], {
    cwd: project.folder,
    env: { HOLDPOINT_DEBUG: '1' },
  });
  expect(stderr).toMatch(
    /^HoldpointError: throws\.ts[^]*^ +at [^]*^Caused by Error: no luck\n +at .*inner\.ts:1:7/m,
  );
});
