import { defineSearchAttributeKey } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTimeSkippingServer } from '../../src/testing';
import { findTimeSkippingServer } from '../../src/testing/time-skipping-command';
import { defineAgent } from '../../src/tools';
import { createWorker } from '../../src/worker';
import { quietRuntime } from '../support/quiet-runtime';
import { bundleOf } from '../support/with-worker';
import { workflowBundle } from '../support/workflow-bundle';

// Bundles and processes start slowly on a busy machine.
jest.setTimeout(180_000);

const agent = defineSearchAttributeKey('HoldpointAgent', 'KEYWORD');

let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  quietRuntime();
  environment = await startTimeSkippingServer({ onProgress: (line) => process.stderr.write(`${line}\n`) });
});
// A start that failed leaves nothing to end.
afterAll(() => environment?.teardown());

test('a wait of thirty days ends within seconds', async () => {
  const taskQueue = 'thirty-days';
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue,
    workflowBundle: await bundleOf(require.resolve('./workflows/two-steps')),
  });
  const before = await environment.currentTimeMs();
  const result: unknown = await worker.runUntil(
    environment.client.workflow.execute('waitForGo', {
      taskQueue,
      workflowId: taskQueue,
      typedSearchAttributes: [{ key: agent, value: 'refund-desk' }],
    }),
  );
  expect(result).toBe('gave up');
  expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(30 * 24 * 3_600_000);
});

test('a worker needs no options of its own: it adds its search attributes, or finds them there', async () => {
  const agents = [defineAgent({ name: 'desk', model: 'm' })];
  const bare = await startTimeSkippingServer({ searchAttributes: false });
  try {
    // This server cannot say which attributes it has, only that one is there already.
    const options = { agents, address: bare.address, workflowBundle: await workflowBundle() };
    await (await createWorker(options)).shutdown();
    await (await createWorker(options)).shutdown();
    const again = bare.connection.operatorService.addSearchAttributes({
      namespace: 'default',
      searchAttributes: { HoldpointStatus: 2 },
    });
    await expect(again).rejects.toThrow(/HoldpointStatus already exists/);
  } finally {
    await bare.teardown();
  }
});

test('where neither download nor Java works the error names what to install', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'holdpoint-java-'));
  const downloads = join(cache, 'time-skipping-sdk');
  try {
    // A file in the place of the folder fails the SDK's download wherever the tests run.
    await writeFile(downloads, '');
    const search = findTimeSkippingServer(() => undefined, { PATH: cache, HOLDPOINT_CACHE_DIR: cache });
    await expect(search).rejects.toMatchObject({
      type: 'Holdpoint.Server.NotFound',
      message: expect.stringMatching(/install Java 11 or newer and Maven/) as string,
    });
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
});
