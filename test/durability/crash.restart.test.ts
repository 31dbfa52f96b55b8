import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerOutput } from '../../src/agent/relay';
import { freePort, startTestServer, type TestServer, type TestServerOptions } from '../../src/testing';
import { holdpointError } from '../support/matchers';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process';
import { agents } from './restart-agents';
import { openStage, type Stage } from './stage';

let folder: string;
let options: TestServerOptions;
let server: TestServer;
let stage: Stage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-'));
  options = { dedicated: true, dbFilename: join(folder, 'temporal.db'), port: await freePort() };
  server = await startTestServer(options);
  stage = await openStage({ agents, server });
});
afterAll(async () => {
  await stage?.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

function startWorker(): Promise<WorkerProcess> {
  const { taskQueue, model } = stage;
  const { address, namespace } = server;
  return startWorkerProcess({
    agents: require.resolve('./restart-agents'),
    baseURL: model.baseURL,
    taskQueue,
    address,
    namespace,
  });
}

test('a halted run outlives its worker and its server, both killed; what was accepted stays accepted', async () => {
  const { client } = stage;
  const first = await startWorker();
  const toolCalls = ['lookup', 'stock', 'refund'].map((name) => ({ id: name, name, arguments: {} }));
  const text = stage.play([{ toolCalls }, { content: 'All done.' }]);
  const { runId } = await client.start('desk', text);
  const halted = await client.waitForHalt(runId);
  const [stock, refund] = halted.requests ?? [];
  await client.answer(runId, answerOutput(stock?.id ?? '', '7'));
  await first.told('lookup');
  await first.kill();
  await server.kill();
  server = await startTestServer(options);
  const second = await startWorker();
  await expect(client.waitForHalt(runId)).resolves.toMatchObject({ status: 'pending', requests: [refund] });
  await expect(client.answer(runId, answerOutput(stock?.id ?? '', '8'))).rejects.toEqual(
    holdpointError('Holdpoint.Answer.AlreadyAnswered'),
  );
  const done = await client.runWithAnswer(runId, { id: refund?.id ?? '', ok: true });
  await second.stop();
  expect(done).toMatchObject({ status: 'done', text: 'All done.' });
  expect(done.toolCalls.map(({ output }) => output)).toEqual(['order 1047', '7', 'paid']);
  // Each was run once, in the process that was there at the time.
  expect(first.toldSoFar()).toEqual(['lookup']);
  expect(second.toldSoFar()).toEqual(['refund']);
}, 180_000);
