import type { HoldpointClient, RunView } from '../client';

/** What was answered is told where it can be had; a worker that is not there is not waited for. */
const RECEIPTS_MS = 5_000;

/**
 * Reads a run to answer it. Of one that has ended, and whose request was not named, the receipts too: whoever
 * repeats an answer then learns what became of the first.
 */
export async function readToAnswer(
  client: HoldpointClient,
  runId: string,
  requestId: string | undefined,
): Promise<RunView> {
  const view = await client.get(runId, { messages: false });
  const isOpen = view.status === 'running' || view.status === 'pending';
  if (isOpen || requestId !== undefined || view.receipts !== undefined) return view;
  return client.get(runId, { waitMs: RECEIPTS_MS }).catch(() => view);
}
