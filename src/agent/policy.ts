/**
 * Who may answer a request, how many must agree, and when somebody is reminded. No timer of a policy ever approves
 * anything.
 */
import type { Answer } from './answer';
import { isRecord } from './json';
import { parseInstant } from './instant';

// Types, not interfaces: only those are JSON to the compiler, and a request must be.

/** What a request asks of those who answer it. Every field may be left out. */
export type RequestPolicy = {
  /** Names and roles: whoever answers must have one of them. Absent: anybody who may answer at all. */
  readonly approvers?: readonly string[];
  /** How many people must approve, 1 to 20. One decline decides. Default 1. */
  readonly quorum?: number;
  /** At this instant those who may answer are reminded, once. */
  readonly remindAt?: string;
  /** From this instant on `escalateTo` may answer, too. */
  readonly escalateAt?: string;
  /** More names and roles. */
  readonly escalateTo?: readonly string[];
};

/** A policy with what became of it so far. */
export type PolicyState = RequestPolicy & {
  /** Who has approved so far, where more than one must. */
  readonly votes?: readonly Vote[];
  /** When the reminder came, and when the escalation. */
  readonly remindedAt?: string;
  readonly escalatedAt?: string;
};

/** One approval of several. */
export type Vote = {
  readonly by: string;
  /** An ISO instant. */
  readonly at: string;
};

/** Names and roles of one list, and the length of each: they travel with every request. */
export const MAX_APPROVERS = 50;
export const MAX_APPROVER_LENGTH = 200;
export const MAX_QUORUM = 20;

/** Says what is wrong with a would-be policy, or `undefined` when it is well formed. */
export function policyProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return 'Expected `policy` to be an object.';
  const { approvers, quorum, remindAt, escalateAt, escalateTo } = value;
  for (const [name, list] of Object.entries({ approvers, escalateTo }))
    if (list !== undefined && !isNames(list))
      return `Expected \`policy.${name}\` to be an array of 1 to ${MAX_APPROVERS} names or roles of 1 to ${MAX_APPROVER_LENGTH} characters.`;
  if (quorum !== undefined && !isQuorum(quorum))
    return `Expected \`policy.quorum\` to be a whole number from 1 to ${MAX_QUORUM}.`;
  for (const [name, at] of Object.entries({ remindAt, escalateAt }))
    if (at !== undefined && (typeof at !== 'string' || parseInstant(at) === undefined))
      return `Expected \`policy.${name}\` to be an instant with an offset, such as 2026-03-01T12:00:00Z.`;
  if ((escalateAt === undefined) !== (escalateTo === undefined))
    return 'Expected `policy.escalateAt` and `policy.escalateTo` together.';
  return undefined;
}

export function isNames(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_APPROVERS &&
    value.every((name) => typeof name === 'string' && name !== '' && name.length <= MAX_APPROVER_LENGTH)
  );
}

export function isQuorum(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_QUORUM;
}

/** The policy with nothing but what its maker may set; `undefined` where that is nothing. */
export function toPolicy(policy: RequestPolicy | undefined): RequestPolicy | undefined {
  const { approvers, quorum, remindAt, escalateAt, escalateTo } = policy ?? {};
  const own: RequestPolicy = {
    ...(approvers && { approvers: [...approvers] }),
    ...(quorum !== undefined && { quorum }),
    ...(remindAt !== undefined && { remindAt }),
    ...(escalateAt !== undefined && { escalateAt }),
    ...(escalateTo && { escalateTo: [...escalateTo] }),
  };
  return Object.keys(own).length > 0 ? own : undefined;
}

/** Names and roles that may answer now; `undefined` for anybody. */
export function approversOf(policy: PolicyState | undefined): readonly string[] | undefined {
  if (!policy?.approvers) return undefined;
  return policy.escalatedAt === undefined
    ? policy.approvers
    : [...policy.approvers, ...(policy.escalateTo ?? [])];
}

/** Who answers, as the run is told by whoever took the answer in. */
export type Answerer = Pick<Answer, 'by' | 'roles'>;

/** The name or role by which somebody may answer now; `undefined` where it names nobody, or none of theirs. */
export function entitledAs(
  policy: PolicyState | undefined,
  { by, roles = [] }: Answerer,
): string | undefined {
  return approversOf(policy)?.find((name) => name === by || roles.includes(name));
}

/** Whether this person may answer a request of this policy now. */
export function mayAnswer(policy: PolicyState | undefined, who: Answerer): boolean {
  return approversOf(policy) === undefined || entitledAs(policy, who) !== undefined;
}

/** How many people must approve. */
export function quorumOf(policy: PolicyState | undefined): number {
  return policy?.quorum ?? 1;
}

/** The next instant at which the policy does something, in milliseconds since the epoch. */
export function nextStep(policy: PolicyState | undefined): number | undefined {
  const { remindAt, remindedAt, escalateAt, escalatedAt } = policy ?? {};
  const steps = [
    remindedAt === undefined && remindAt !== undefined ? parseInstant(remindAt) : undefined,
    escalatedAt === undefined && escalateAt !== undefined ? parseInstant(escalateAt) : undefined,
  ].filter((at) => at !== undefined);
  return steps.length > 0 ? Math.min(...steps) : undefined;
}

/** How many approvals there are of how many; `undefined` where one is enough. */
export function tallyOf(
  policy: PolicyState | undefined,
): { readonly given: number; readonly needed: number } | undefined {
  const needed = quorumOf(policy);
  return needed > 1 ? { given: policy?.votes?.length ?? 0, needed } : undefined;
}
