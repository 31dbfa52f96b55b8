/** The worker's process: `worker-process.ts` starts it. */
import { createWorker } from 'holdpoint/worker';
import { refundDesk } from './agent';

async function main(): Promise<void> {
  // The demo is gone, however that came about: so is its worker.
  process.once('disconnect', () => process.exit());
  const [address, namespace, taskQueue, codePath] = process.argv.slice(2);
  if (!address || !namespace || !taskQueue || !codePath)
    throw new Error('Expected an address, a namespace, a task queue and the file of a workflow bundle.');
  const queue = { address, namespace, taskQueue };
  const worker = await createWorker({ agents: [refundDesk], workflowBundle: { codePath }, ...queue });
  process.send?.('ready');
  await worker.run();
}

main().then(
  // An open channel to the demo would keep this process alive.
  () => process.exit(),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
