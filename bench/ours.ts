import { createClient } from '../src/client';
import { openaiModel } from '../src/models/openai';
import { defineAgent, defineTool } from '../src/tools';
import { createWorker, type WorkerLogger } from '../src/worker';
import { measure, type Measurement } from './history';
import { INPUT, page, PAGE_TOOL, pageReader, type Workload } from './workload';

/** Where the server is. */
export interface Server {
  readonly address: string;
  readonly namespace: string;
}

const nothing = (): void => undefined;
export const SILENT: WorkerLogger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The workload as a run of Holdpoint, through its own client and worker. */
export async function measureOurs({ address, namespace }: Server, workload: Workload): Promise<Measurement> {
  await using server = await pageReader(workload);
  const taskQueue = `bench-ours-${performance.now()}`;
  const agent = defineAgent({
    name: 'reader',
    model: 'scripted',
    limits: { maxTurns: workload.calls },
    tools: [defineTool({ ...PAGE_TOOL, execute: ({ number }) => page(Number(number), workload) })],
  });
  const worker = await createWorker({
    agents: [agent],
    models: openaiModel({ baseURL: server.baseURL }),
    logger: SILENT,
    address,
    namespace,
    taskQueue,
  });
  await using client = await createClient({ address, namespace, taskQueue });
  return await worker.runUntil(() =>
    measure(client.temporal, workload.calls, async () => {
      const { runId, status, error } = await client.run(agent, INPUT, { messages: false });
      if (status !== 'done') throw new Error(`The run ended as ${status}: ${error?.message ?? ''}`);
      return { workflowId: runId };
    }),
  );
}
