/**
 * Ends with 0 when the worker of this container takes work: the server has lately seen it ask. The task queue is
 * the first argument, default `holdpoint`; where the server is comes from the TEMPORAL_ variables.
 */
import { hostname } from 'node:os';
import { createClient } from 'holdpoint/client';

/** A worker that has nothing to do asks again each minute. */
const SEEN_WITHIN_MS = 150_000;
/** `TASK_QUEUE_TYPE_WORKFLOW` on the wire. */
const WORKFLOW_TASKS = 1;

const taskQueue = process.argv[2] ?? 'holdpoint';
const client = await createClient({ taskQueue });
const { workflowService, options } = client.temporal;
const { pollers } = await workflowService.describeTaskQueue({
  namespace: options.namespace,
  taskQueue: { name: taskQueue },
  taskQueueType: WORKFLOW_TASKS,
});
await client.disconnect();

// A worker's identity is its process id and the name of its host, which is this container's.
const own = pollers.filter(({ identity }) => identity.endsWith(`@${hostname()}`));
const seen = Math.max(...own.map(({ lastAccessTime }) => Number(lastAccessTime.seconds) * 1000));
if (own.length === 0 || seen < Date.now() - SEEN_WITHIN_MS) {
  console.error(
    own.length === 0
      ? `No worker of ${hostname()} takes work of task queue "${taskQueue}".`
      : `The worker of ${hostname()} last asked for work at ${new Date(seen).toISOString()}.`,
  );
  process.exit(1);
}
