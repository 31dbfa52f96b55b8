import { parseInstant } from '../agent/instant';
import { approversOf, mayAnswer, quorumOf, type Vote } from '../agent/policy';
import type { Request } from '../agent/request';
import { DECISIONS, type AnswerGrant, type Decision } from '../tokens/answer-token';

/** What whoever holds a link can do about its request now. The run judges again; a page offers only what it would take. */
export type LinkStanding =
  | { readonly is: 'may'; readonly decisions: readonly Decision[] }
  /** They have approved, and more must; a decline would still count. */
  | { readonly is: 'voted'; readonly vote: Vote; readonly decisions: readonly Decision[] }
  /** The link names nobody, and it matters who answers: for the names, or for the count. */
  | { readonly is: 'nameless'; readonly counted: boolean }
  | { readonly is: 'outsider'; readonly by: string }
  /** The deadline has passed, and the run is about to close it. */
  | { readonly is: 'over' };

export function linkStanding(
  { policy, expiresAt }: Pick<Request, 'policy' | 'expiresAt'>,
  { by, roles = [], decisions = DECISIONS }: AnswerGrant,
  now: number,
): LinkStanding {
  const deadline = expiresAt === undefined ? undefined : parseInstant(expiresAt);
  if (deadline !== undefined && now >= deadline) return { is: 'over' };
  const counted = quorumOf(policy) > 1;
  if (by === undefined)
    return counted || approversOf(policy) ? { is: 'nameless', counted } : { is: 'may', decisions };
  if (!mayAnswer(policy, { by, roles })) return { is: 'outsider', by };
  const vote = policy?.votes?.find((earlier) => earlier.by === by);
  return vote
    ? { is: 'voted', vote, decisions: decisions.filter((decision) => decision !== 'approve') }
    : { is: 'may', decisions };
}
