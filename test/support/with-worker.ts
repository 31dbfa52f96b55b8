import { Client, Connection } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { randomUUID } from 'node:crypto';

/** A workflow bundle of `workflowsPath`, without the bundler's output. Takes seconds: make it once a test file. */
export async function bundleOf(workflowsPath: string): Promise<{ readonly code: string }> {
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}

/** Runs `use` while a plain Temporal worker serves a task queue of its own at `address`. */
export async function withPlainWorker<T>(
  server: { readonly address: string; readonly namespace: string },
  options: Pick<WorkerOptions, 'activities' | 'workflowBundle' | 'dataConverter'>,
  use: (client: Client, taskQueue: string) => Promise<T>,
): Promise<T> {
  const taskQueue = `test-${randomUUID()}`;
  const connection = await Connection.connect({ address: server.address });
  const native = await NativeConnection.connect({ address: server.address });
  try {
    const { namespace } = server;
    const worker = await Worker.create({ ...options, connection: native, namespace, taskQueue });
    return await worker.runUntil(use(new Client({ connection, namespace }), taskQueue));
  } finally {
    await connection.close();
    await native.close();
  }
}
