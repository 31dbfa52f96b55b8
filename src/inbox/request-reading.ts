import { openCallsOf } from '../agent/open-calls';
import type { Receipt } from '../agent/receipt';
import type { RelayCall } from '../agent/relay';
import type { Request } from '../agent/request';
import type { RunView } from '../client/run-result';

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

/** The same for a page that reads on: the conversation is read only once the request is no longer open. */
export async function readState(
  view: (messages: boolean) => Promise<RunView>,
  requestId: string,
): Promise<RequestReading> {
  const brief = readingIn(await view(false), requestId);
  return brief.is === 'open' ? brief : readingIn(await view(true), requestId);
}

/** Lists lag: what a page shows, and what it says of who decided, is the run's own record. */
export function readingIn(view: RunView, requestId: string): RequestReading {
  const request = (view.requests ?? []).find(({ id }) => id === requestId);
  if (request) return { is: 'open', view, request, calls: openCallsOf(request, view.receipts) };
  const receipts = (view.receipts ?? []).filter((receipt) => receipt.requestId === requestId);
  return receipts.length === 0 ? { is: 'unknown', view } : { is: 'closed', view, receipts };
}
