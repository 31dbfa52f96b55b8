/** A worker of Holdpoint's, which carries out the shop's workflows as well. */
import { createWorker } from 'holdpoint/worker';
import * as activities from './activities';
import { inspector, TASK_QUEUE } from './agent';

async function main(): Promise<void> {
  const workflowsPath = require.resolve('./workflows');
  const worker = await createWorker({
    agents: [inspector],
    workflowsPath,
    activities,
    taskQueue: TASK_QUEUE,
  });
  await worker.run();
}

void main();
