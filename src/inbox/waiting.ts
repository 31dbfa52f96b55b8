import type { OpenRequestRow } from '../client/open-requests';
import { parseInstant } from '../agent/instant';
import type { Identity } from './identity';

export interface WaitingFilter {
  readonly agent?: string;
  readonly kind?: string;
}

export interface Waiting {
  readonly rows: readonly OpenRequestRow[];
  /** What there is to filter by, whatever the filter is. */
  readonly agents: readonly string[];
  readonly kinds: readonly string[];
}

/** What waits for somebody, the oldest deadline first and then the longest wait. */
export function waitingFor(
  identity: Identity,
  all: readonly OpenRequestRow[],
  { agent, kind }: WaitingFilter,
): Waiting {
  const mine = all.filter((row) => identity.tenant === undefined || row.tenant === identity.tenant);
  const rows = mine
    .filter((row) => agent === undefined || row.agent === agent)
    .filter((row) => kind === undefined || row.request.kind === kind)
    .sort((a, b) => deadline(a) - deadline(b) || opened(a) - opened(b));
  return {
    rows,
    agents: sortedSet(mine.map((row) => row.agent)),
    kinds: sortedSet(mine.map((row) => row.request.kind)),
  };
}

/** No deadline comes after every deadline; a difference of two of those must not be NaN. */
function deadline({ request }: OpenRequestRow): number {
  return (
    (request.expiresAt === undefined ? undefined : parseInstant(request.expiresAt)) ?? Number.MAX_SAFE_INTEGER
  );
}

function opened({ openedAt }: OpenRequestRow): number {
  return (openedAt === undefined ? undefined : parseInstant(openedAt)) ?? Number.MAX_SAFE_INTEGER;
}

function sortedSet(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
