import type { Receipt } from '../agent/receipt';
import { relayCallsOf, type RelayCall } from '../agent/relay';
import type { Request } from '../agent/request';

/** The calls of a relay request that nobody has given a result yet: several hosts may each deliver theirs (R23). */
export function openCallsOf(
  request: Request | undefined,
  receipts: readonly Receipt[] | undefined = [],
): readonly RelayCall[] {
  const settled = receipts
    .filter(({ requestId }) => requestId === request?.id)
    .flatMap((receipt) => receipt.settled);
  return relayCallsOf(request).filter(({ id }) => !settled.includes(id));
}
