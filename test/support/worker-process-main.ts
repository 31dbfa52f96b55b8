/** The program of a worker process: one Holdpoint worker, as `startWorkerProcess` describes it. */
import type { Agent } from '../../src/agent/agent';
import { openaiModel } from '../../src/models/openai';
import { createWorker } from '../../src/worker';
import type { WorkerProcessSettings } from './worker-process';

async function main({ agents: path, baseURL, ...options }: WorkerProcessSettings): Promise<void> {
  const module = (await import(path)) as { readonly agents: readonly Agent[] | Promise<readonly Agent[]> };
  const agents = await module.agents;
  const models = openaiModel({ baseURL, apiKey: 'none' });
  const worker = await createWorker({ ...options, agents, models });
  process.send?.({ ready: true });
  await worker.run();
  process.disconnect?.();
}

// The test has ended, in whatever way: nobody else will end this process.
process.once('disconnect', () => process.exit());
main(JSON.parse(process.argv[2] ?? '') as WorkerProcessSettings).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
