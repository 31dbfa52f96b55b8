import { createClient, type HoldpointClient } from '../../src/client';
import { openaiModel } from '../../src/models/openai';
import { scriptedModel, startTestServer, type ScriptedModel, type TestServer } from '../../src/testing';
import { createWorker, type HoldpointWorker } from '../../src/worker';
import { calls, desk } from '../client/desk';
import { workflowBundle } from '../support/workflow-bundle';

/** A namespace without our attributes: to set one of them fails a run's task for ever. */
let server: TestServer;
let model: ScriptedModel;
let worker: HoldpointWorker;
let client: HoldpointClient;

beforeAll(async () => {
  server = await startTestServer({ dedicated: true, searchAttributes: false });
  const { address, namespace } = server;
  model = await scriptedModel(({ body }) =>
    JSON.stringify(body).includes('refuse me') ? { status: 401 } : calls('a'),
  );
  worker = await createWorker({
    agents: [desk()],
    models: openaiModel({ baseURL: model.baseURL, apiKey: 'none' }),
    address,
    namespace,
    searchAttributes: 'none',
    workflowBundle: await workflowBundle(),
  });
  void worker.run();
  client = await createClient({ address, namespace, searchAttributes: 'none' });
});

afterAll(async () => {
  await worker.shutdown();
  await client.disconnect();
  await model.close();
  await server.stop();
});

describe("searchAttributes: 'none'", () => {
  it('a run whose first model call fails ends as failed', async () => {
    const result = await client.run('desk', 'refuse me');
    expect(result).toMatchObject({ status: 'failed', error: { type: 'Holdpoint.Model.Rejected' } });
  });

  it('a run halts, and is cancelled', async () => {
    const { runId, status } = await client.run('desk', 'go');
    expect(status).toBe('pending');
    await client.cancel(runId);
    expect(await client.result(runId)).toMatchObject({ status: 'cancelled' });
  });
});
