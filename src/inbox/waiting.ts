import { parseInstant } from '../agent/instant';
import { mayAnswer } from '../agent/policy';
import type { OpenRequestRow } from '../client/open-requests';
import type { Identity } from '../http/identity';

export interface WaitingFilter {
  readonly agent?: string;
  readonly kind?: string;
  /** Also what only others may answer, or what this person has approved already. */
  readonly everybody?: boolean;
}

export interface Waiting {
  readonly rows: readonly OpenRequestRow[];
  /** What there is to filter by, whatever the filter is. */
  readonly agents: readonly string[];
  readonly kinds: readonly string[];
}

/** What waits for somebody, the oldest deadline first and then the longest wait. */
export function waitingFor(
  identity: Pick<Identity, 'subject' | 'roles'>,
  all: readonly OpenRequestRow[],
  { agent, kind, everybody = false }: WaitingFilter,
): Waiting {
  const rows = all
    .filter((row) => everybody || isFor(identity, row))
    .filter((row) => agent === undefined || row.agent === agent)
    .filter((row) => kind === undefined || row.request.kind === kind)
    .sort((a, b) => deadline(a) - deadline(b) || opened(a) - opened(b));
  return {
    rows,
    agents: sortedSet(all.map((row) => row.agent)),
    kinds: sortedSet(all.map((row) => row.request.kind)),
  };
}

function isFor(
  { subject, roles }: Pick<Identity, 'subject' | 'roles'>,
  { request }: OpenRequestRow,
): boolean {
  const { policy } = request;
  return mayAnswer(policy, { by: subject, roles }) && !policy?.votes?.some(({ by }) => by === subject);
}

/** No deadline comes after every deadline; a difference of two of those must not be NaN. */
function deadline({ request }: OpenRequestRow): number {
  return instantOr(request.expiresAt, Number.MAX_SAFE_INTEGER);
}

function opened({ openedAt }: OpenRequestRow): number {
  return instantOr(openedAt, Number.MAX_SAFE_INTEGER);
}

function instantOr(text: string | undefined, otherwise: number): number {
  return (text === undefined ? undefined : parseInstant(text)) ?? otherwise;
}

function sortedSet(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
