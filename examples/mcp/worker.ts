/** Carries out the runs of both agents. */
import { createWorker } from 'holdpoint/worker';
import { hosts, TASK_QUEUE } from './agents';

async function main(): Promise<void> {
  const worker = await createWorker({ agents: await hosts(), taskQueue: TASK_QUEUE });
  await worker.run();
  // The server that was started for its tools ends with this process.
  process.exit();
}

void main();
