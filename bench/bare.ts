import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { openaiModel } from '../src/models/openai';
import { createBareActivities } from './bare-activities';
import type { bareRun } from './bare-workflow';
import { measure, type Measurement } from './history';
import type { Server } from './ours';
import { INPUT, pageReader, type Workload } from './workload';

/** The workload as a bare workflow with the same activities: the floor that an engine is measured against. */
export async function measureBare({ address, namespace }: Server, workload: Workload): Promise<Measurement> {
  await using server = await pageReader(workload);
  const taskQueue = `bench-bare-${performance.now()}`;
  const native = await NativeConnection.connect({ address });
  const connection = await Connection.connect({ address });
  try {
    const worker = await Worker.create({
      connection: native,
      namespace,
      taskQueue,
      workflowBundle: await bundle(),
      activities: createBareActivities(openaiModel({ baseURL: server.baseURL }), workload),
    });
    const client = new Client({ connection, namespace });
    return await worker.runUntil(() =>
      measure(client, workload.calls, async () => {
        const workflowId = taskQueue;
        await client.workflow.execute<typeof bareRun>('bareRun', { workflowId, taskQueue, args: [INPUT] });
        return { workflowId };
      }),
    );
  } finally {
    await connection.close();
    await native.close();
  }
}

let bundled: ReturnType<typeof bundleWorkflowCode> | undefined;

/** Takes seconds, so once for all workloads. */
function bundle(): ReturnType<typeof bundleWorkflowCode> {
  return (bundled ??= bundleWorkflowCode({
    workflowsPath: require.resolve('./bare-workflow'),
    logger: new DefaultLogger('ERROR'),
  }));
}
