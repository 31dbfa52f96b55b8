import type { ClientContext } from './client-context';
import { isNotFound } from './rpc-failure';
import type { WaitLimit } from './wait-limit';

/** The workflow ids of what an execution started: its sub-agents' runs and its deliveries of events. */
export async function childrenOf(
  { temporal, namespace }: ClientContext,
  execution: { readonly workflowId: string; readonly runId: string },
  limit: WaitLimit,
): Promise<string[]> {
  const found = new Set<string>();
  let nextPageToken: Uint8Array | null | undefined;
  try {
    do {
      const page = await limit.retrying(() =>
        temporal.workflowService.getWorkflowExecutionHistory({
          namespace,
          execution,
          ...(nextPageToken && { nextPageToken }),
        }),
      );
      for (const event of page.history?.events ?? []) {
        const id = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution?.workflowId;
        if (id) found.add(id);
      }
      ({ nextPageToken } = page);
    } while (nextPageToken && nextPageToken.length > 0);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return [...found];
}
