import type { ClientContext } from './client-context';
import type { Target } from './ids';

/** It only makes an error clearer, so it may not hold that error up. */
const TIMEOUT_MS = 2_000;
/** `TASK_QUEUE_TYPE_WORKFLOW` on the wire. */
const WORKFLOW_TASKS = 1;

/** How many workers have lately asked for work where the target runs; `undefined` when that cannot be told. */
export async function workersPolling(
  context: ClientContext,
  target: Target | undefined,
): Promise<{ readonly count: number; readonly taskQueue: string } | undefined> {
  const { temporal, namespace } = context;
  try {
    return await temporal.withDeadline(Date.now() + TIMEOUT_MS, async () => {
      const taskQueue = await taskQueueOf(context, target);
      const { pollers } = await temporal.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name: taskQueue },
        taskQueueType: WORKFLOW_TASKS,
      });
      return { count: pollers?.length ?? 0, taskQueue };
    });
  } catch {
    return undefined;
  }
}

async function taskQueueOf(context: ClientContext, target: Target | undefined): Promise<string> {
  if (!target) return context.taskQueue;
  return (await context.temporal.workflow.getHandle(target.workflowId).describe()).taskQueue;
}
