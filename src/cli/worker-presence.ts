import type { HoldpointClient } from '../client';
import { DEFAULT_TASK_QUEUE, toConnectTarget } from '../temporal/connect-options';
import { connectionOf, type ConnectionFlags } from './connection';
import type { Output } from './output';

/** `TASK_QUEUE_TYPE_WORKFLOW` on the wire. */
const WORKFLOW_TASKS = 1;
const ASK_MS = 2_000;

/**
 * Tells whoever waits that nobody works on their task queue. It is only a hint: a worker may come at any time,
 * so nothing waits for this, and a server that does not say is not asked again.
 */
export function noteAbsentWorker(client: HoldpointClient, flags: ConnectionFlags, output: Output): void {
  const { taskQueue = DEFAULT_TASK_QUEUE } = flags;
  const { namespace } = toConnectTarget(connectionOf(flags));
  client.temporal
    .withDeadline(Date.now() + ASK_MS, () =>
      client.temporal.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name: taskQueue },
        taskQueueType: WORKFLOW_TASKS,
      }),
    )
    .then(
      ({ pollers }) => {
        if (pollers?.length === 0)
          output.note(
            `No worker polls task queue "${taskQueue}" yet; the run waits for one. Start it with \`holdpoint worker <file>\`.`,
          );
      },
      () => undefined,
    );
}
