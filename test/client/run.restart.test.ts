import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerOutput } from '../../src/agent/relay';
import { freePort, startTestServer, type TestServer, type TestServerOptions } from '../../src/testing';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { calls, newId, openDesk, pendingId, type Desk } from './desk';

let folder: string;
let options: TestServerOptions;
let server: TestServer;
let desk: Desk;

beforeAll(async () => {
  quietRuntime('silent');
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-'));
  options = { dedicated: true, dbFilename: join(folder, 'temporal.db'), port: await freePort() };
  server = await startTestServer(options);
  desk = await openDesk(undefined, server);
});
afterAll(async () => {
  await desk?.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

test('waiting goes on when the server is killed and comes back; a start meanwhile says which run it was', async () => {
  const { client } = desk;
  const halted = await client.run('desk', desk.play([calls('a'), { content: 'Done.' }]));
  const end = client.result(halted.runId);
  await server.kill();
  const runId = newId();
  await expect(client.start('desk', 'x', { runId })).rejects.toEqual(
    holdpointError('Holdpoint.Client.Unreachable', new RegExp(`${server.address}.*may or may not`), {
      runId,
    }),
  );
  server = await startTestServer(options);
  await client.answer(halted.runId, answerOutput(pendingId(halted), '1'));
  await expect(end).resolves.toMatchObject({ status: 'done', text: 'Done.' });
}, 120_000);
