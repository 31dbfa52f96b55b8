/** Carries out the asks. */
import { createWorker } from 'holdpoint/worker';
import { TASK_QUEUE, tours } from './agent';

async function main(): Promise<void> {
  const worker = await createWorker({ agents: [tours], taskQueue: TASK_QUEUE });
  await worker.run();
}

void main();
