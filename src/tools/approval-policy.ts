import type { ApprovalPolicy } from '../agent/tool';
import { isNames, isQuorum, MAX_APPROVER_LENGTH, MAX_APPROVERS, MAX_QUORUM } from '../agent/policy';
import type { Definition } from './definition';
import { durationMs, type Duration } from './duration';

/** The options by which a tool says who decides about its calls. They need `needsApproval`. */
export interface ApprovalOptions {
  /**
   * Names and roles, one of which whoever answers must have; the run refuses all others. Default: anybody who may
   * answer requests at all.
   */
  readonly approvers?: readonly string[];
  /** How many people must approve, each under a name of their own; one decline decides. 1 to 20. Default 1. */
  readonly quorum?: number;
  /** When to remind those who may answer, once: milliseconds or `'1 hour'`. Default: never. */
  readonly remindAfter?: Duration;
  /** When `escalateTo` may answer, too: milliseconds or `'4 hours'`. Default: never. */
  readonly escalateAfter?: Duration;
  /** More names and roles, from `escalateAfter` on. */
  readonly escalateTo?: readonly string[];
}

export const APPROVAL_OPTIONS = [
  'approvers',
  'quorum',
  'remindAfter',
  'escalateAfter',
  'escalateTo',
] as const;

/** Reads these options of a tool's definition, which `asks` has somebody asked by; `undefined` where none is given. */
export function toApprovalPolicy(definition: Definition, asks = 'needsApproval'): ApprovalPolicy | undefined {
  const options: ApprovalOptions = definition.options;
  const given = APPROVAL_OPTIONS.filter((name) => options[name] !== undefined);
  if (given.length === 0) return undefined;
  const names = `an array of 1 to ${MAX_APPROVERS} names or roles of 1 to ${MAX_APPROVER_LENGTH} characters`;
  definition.expect('approvers', names, isNames);
  definition.expect('escalateTo', names, isNames);
  definition.expect('quorum', `a whole number from 1 to ${MAX_QUORUM}`, isQuorum);
  if (definition.options[asks] === undefined)
    definition.refuse(`\`${given[0]}\` needs \`${asks}\`: without it nobody is asked.`);
  if ((options.escalateAfter === undefined) !== (options.escalateTo === undefined))
    definition.refuse('`escalateAfter` and `escalateTo` go together.');
  if (options.escalateTo !== undefined && options.approvers === undefined)
    definition.refuse('`escalateTo` needs `approvers`: without them anybody may answer from the start.');
  const { approvers, quorum, remindAfter, escalateAfter, escalateTo } = options;
  return {
    ...(approvers && { approvers: [...approvers] }),
    ...(quorum !== undefined && { quorum }),
    ...(remindAfter !== undefined && { remindAfterMs: durationMs('remindAfter', remindAfter) }),
    ...(escalateAfter !== undefined && { escalateAfterMs: durationMs('escalateAfter', escalateAfter) }),
    ...(escalateTo && { escalateTo: [...escalateTo] }),
  };
}
