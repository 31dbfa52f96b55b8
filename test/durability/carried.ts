import { bareRun } from '../support/bare-run';
import { startCarryingServer } from '../support/carrying-server';
import { openStage, type Stage, type StageOptions } from './stage';

/** Events after which the server of these tests suggests to continue as new; by default it is 4 096. */
const SUGGESTED_AFTER = 40;

/** A stage with a worker on a server of its own, where runs continue as new all the time. */
export async function openRestlessStage(
  options: Omit<StageOptions, 'server'>,
): Promise<{ readonly stage: Stage; readonly close: () => Promise<void> }> {
  const server = await startCarryingServer(SUGGESTED_AFTER);
  const stage = await openStage({ ...options, server });
  await stage.startWorker();
  return {
    stage,
    async close() {
      await stage.close();
      await server.stop();
    },
  };
}

/** The execution that a workflow is in now, and the first of its chain. */
export async function executionsOf(
  { client }: Stage,
  workflowId: string,
): Promise<{ readonly first: string; readonly now: string }> {
  const { runId, raw } = await client.temporal.workflow.getHandle(workflowId).describe();
  return { first: raw.workflowExecutionInfo?.firstRunId ?? '', now: runId };
}

/** Sends answers to nothing until the workflow has continued as new; gives how many it took. */
export async function sendUntilCarried(stage: Stage, workflowId: string): Promise<number> {
  const { now: before } = await executionsOf(stage, workflowId);
  const run = bareRun(stage.client, workflowId);
  for (let sent = 1; sent < 100; sent += 1) {
    await run.signal({ id: 'nothing', ok: true, answerId: `noise-${sent}` });
    // The query is answered after the signal was handled, so each one is a workflow task of its own.
    await run.state();
    if ((await executionsOf(stage, workflowId)).now !== before) return sent;
  }
  throw new Error('It did not continue as new');
}
