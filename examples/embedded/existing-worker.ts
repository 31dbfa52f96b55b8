/** A Temporal worker that the shop has had for long. One line adds the agents. */
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { holdpointPlugin } from 'holdpoint/worker';
import * as activities from './activities';
import { inspector, TASK_QUEUE } from './agent';

async function main(): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('WARN') });
  const { TEMPORAL_ADDRESS: address = '127.0.0.1:7233', TEMPORAL_NAMESPACE: namespace = 'default' } =
    process.env;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: TASK_QUEUE,
    workflowsPath: require.resolve('./workflows'),
    activities,
    plugins: [holdpointPlugin({ agents: [inspector] })],
  });
  await worker.run();
  await connection.close();
}

void main();
