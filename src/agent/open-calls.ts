import type { Receipt } from './receipt';
import { relayCallsOf, type RelayCall } from './relay';
import type { Request } from './request';

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
