/** Carries out the runs. It never sees a browser. */
import { createWorker } from 'holdpoint/worker';
import { shopper, TASK_QUEUE } from './agent';

async function main(): Promise<void> {
  const worker = await createWorker({ agents: [shopper], taskQueue: TASK_QUEUE });
  await worker.run();
}

void main();
