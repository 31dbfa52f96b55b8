import { Client, Connection } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { WORKFLOW_RUN, type AgentRunInput, type TranscriptPage } from '../../src/agent/wire';
import type { Message } from '../../src/agent/message';
import { createWorker, type HoldpointWorker, type WorkerOptions } from '../../src/worker';
import { testServer } from '../support/test-server';
import { workflowBundle } from '../support/workflow-bundle';

export interface Desk {
  readonly client: Client;
  readonly taskQueue: string;
  /** A worker of the test's task queue. It runs until it is shut down or the test ends. */
  start: (options: Pick<WorkerOptions, 'agents'> & Partial<WorkerOptions>) => Promise<HoldpointWorker>;
  startRun: (input: AgentRunInput) => ReturnType<Client['workflow']['start']>;
}

/** A client, and workers on a task queue of their own, all ended whatever happens. */
export async function withDesk(use: (desk: Desk) => Promise<void>): Promise<void> {
  const { address, namespace } = testServer();
  const taskQueue = `test-${randomUUID()}`;
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace });
  const workers: HoldpointWorker[] = [];
  const runs: Promise<void>[] = [];
  try {
    await use({
      client,
      taskQueue,
      start: async (options) => {
        const shared = { address, namespace, taskQueue, workflowBundle: await workflowBundle() };
        const worker = await createWorker({ ...shared, ...options });
        workers.push(worker);
        runs.push(worker.run());
        return worker;
      },
      startRun: (input) =>
        client.workflow.start(WORKFLOW_RUN, { args: [input], taskQueue, workflowId: `run-${randomUUID()}` }),
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.shutdown()));
    await Promise.all(runs);
    await connection.close();
  }
}

/** The whole transcript of a run, by its own query. */
export async function transcriptOf(
  handle: Awaited<ReturnType<Desk['startRun']>>,
): Promise<readonly Message[]> {
  const page = await handle.query<TranscriptPage, [object]>('transcript', { from: 0 });
  return page.messages;
}
