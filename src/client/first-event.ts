import type { ClientContext } from './client-context';
import type { HistoryEvent } from './history-event';
import { isNotFound } from './rpc-failure';
import type { WaitLimit } from './wait-limit';

/**
 * The event that an execution begins with: what it was started with, and which execution it continues. `undefined`
 * where the namespace does not keep it any more.
 */
export async function readFirstEvent(
  { temporal, namespace }: ClientContext,
  execution: { readonly workflowId: string; readonly runId: string },
  limit: WaitLimit,
): Promise<HistoryEvent | undefined> {
  try {
    const { history } = await limit.retrying(() =>
      temporal.workflowService.getWorkflowExecutionHistory({ namespace, execution, maximumPageSize: 1 }),
    );
    return history?.events?.[0];
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
