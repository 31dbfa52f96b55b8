import { openCallsOf } from '../agent/open-calls';
import type { Receipt } from '../agent/receipt';
import type { RelayCall } from '../agent/relay';
import type { Request } from '../agent/request';
import type { RunView } from '../client/run-result';
import type { InboxClient } from './options';

/** A request as it stands, read from its run. */
export type RequestReading =
  | {
      readonly is: 'open';
      readonly view: RunView;
      readonly request: Request;
      readonly calls: readonly RelayCall[];
    }
  | { readonly is: 'closed'; readonly view: RunView; readonly receipts: readonly Receipt[] }
  | { readonly is: 'unknown'; readonly view: RunView };

/** A page is not worth a minute of waiting for a worker. */
export const READ_MS = 15_000;

/** Lists lag: what a page shows, and what it says of who decided, is the run's own record. */
export async function readRequest(
  client: InboxClient,
  runId: string,
  requestId: string,
): Promise<RequestReading> {
  const view = await client.get(runId, { waitMs: READ_MS });
  const request = (view.requests ?? []).find(({ id }) => id === requestId);
  if (request) return { is: 'open', view, request, calls: openCallsOf(request, view.receipts) };
  const receipts = (view.receipts ?? []).filter((receipt) => receipt.requestId === requestId);
  return receipts.length === 0 ? { is: 'unknown', view } : { is: 'closed', view, receipts };
}
