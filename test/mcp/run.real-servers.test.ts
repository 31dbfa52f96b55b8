import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { relayAnswer } from '../../src/agent/relay';
import { createClient } from '../../src/client';
import { scriptedModel, type ScriptedTurn } from '../../src/testing';
import { testServer } from '../support/test-server';
import { startWorkerProcess } from '../support/worker-process';

let folder: string;
beforeEach(async () => {
  // The server allows the real folder only.
  folder = await realpath(await mkdtemp(join(tmpdir(), 'holdpoint-files-')));
  process.env['HOLDPOINT_TEST_FOLDER'] = folder;
});
afterEach(async () => {
  delete process.env['HOLDPOINT_TEST_FOLDER'];
  await rm(folder, { recursive: true, force: true });
});

test('an agent uses two published servers over stdio, though its worker is killed in between', async () => {
  await writeFile(join(folder, 'note.txt'), 'in the file');
  const turns: readonly ScriptedTurn[] = [
    {
      toolCalls: [
        { id: 'echo', name: 'everything__echo', arguments: { message: 'hello' } },
        { id: 'sum', name: 'everything__get-sum', arguments: { a: 2, b: 3 } },
        { id: 'read', name: 'files__read_text_file', arguments: { path: join(folder, 'note.txt') } },
        { id: 'ask', name: 'ask', arguments: {} },
      ],
    },
    {
      toolCalls: [
        {
          id: 'write',
          name: 'files__write_file',
          arguments: { path: join(folder, 'out.txt'), content: 'written' },
        },
      ],
    },
    { toolCalls: [{ id: 'list', name: 'files__list_directory', arguments: { path: folder } }] },
    { content: 'Done.' },
  ];
  const model = await scriptedModel(turns);
  const taskQueue = `t-${randomUUID()}`;
  const client = await createClient({ ...testServer(), taskQueue });
  const options = { agents: require.resolve('./real-agents'), baseURL: model.baseURL, taskQueue };
  const first = await startWorkerProcess(options);
  const halted = await client.run('clerk', 'go');
  expect(halted.toolCalls).toMatchObject([
    { id: 'echo', output: 'Echo: hello', isError: false },
    { id: 'sum', output: expect.stringContaining('5') as string, isError: false },
    { id: 'read', output: 'in the file', isError: false },
    { id: 'ask' },
  ]);
  await first.kill();
  const second = await startWorkerProcess(options);
  if (!halted.pending) throw new Error(halted.status);
  const done = await client.runWithAnswer(
    halted.runId,
    relayAnswer(halted.pending.id, [{ id: 'ask', output: 'yes' }]),
  );
  expect(done).toMatchObject({ status: 'done', text: 'Done.' });
  expect(await readFile(join(folder, 'out.txt'), 'utf8')).toBe('written');
  expect(done.toolCalls.at(-1)?.output).toContain('out.txt');
  await second.stop();
  await client.disconnect();
  await model.close();
}, 120_000);
