import type { Client } from '@temporalio/client';

/** What a finished run left in Temporal, and how long it took. */
export interface Measurement {
  readonly bytes: number;
  readonly events: number;
  readonly msPerTurn: number;
  readonly status: string;
}

/** Runs `run`, which resolves once its workflow has ended, and reads the history's size from the server. */
export async function measure(
  client: Client,
  turns: number,
  run: () => Promise<{ readonly workflowId: string }>,
): Promise<Measurement> {
  const startedAt = performance.now();
  const { workflowId } = await run();
  const elapsedMs = performance.now() - startedAt;
  const { historySize, historyLength, status } = await client.workflow.getHandle(workflowId).describe();
  return {
    bytes: historySize ?? 0,
    events: historyLength,
    msPerTurn: elapsedMs / turns,
    status: status.name.toLowerCase(),
  };
}
