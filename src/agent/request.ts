import { parseInstant } from './instant';
import { isRecord, type Json, type JsonObject } from './json';
import { policyProblem, toPolicy, type PolicyState, type RequestPolicy } from './policy';

/** The kinds that the product itself uses. Kinds are open: a tool may use a word of its own (R10). */
export type RequestKind =
  'tool_call' | 'approval' | 'authorization' | 'question' | 'input' | 'reconcile' | (string & {});

/**
 * A question the run waits on (R10).
 *
 * `expiresAt` is an instant with an offset, such as `2026-03-01T12:00:00Z`.
 */
export interface Request {
  /** What an answer names. */
  readonly id: string;
  readonly kind: RequestKind;
  /** What the host reads. Also the placeholder result while the call waits (R27). */
  readonly prompt: string;
  /** Where a person must go, for one to sign in. */
  readonly url?: string;
  /** What the host needs to answer: `calls` of a relay request, `tool` and `input` of an approval. */
  readonly data?: JsonObject;
  /** At this instant the run itself answers no (R31). */
  readonly expiresAt?: string;
  /** Where it comes from a sub-agent: the agents from the one that the run called to the one that asks. */
  readonly path?: readonly string[];
  /** Who may answer, how many must agree, when they are reminded; and what became of that so far. */
  readonly policy?: PolicyState;
}

/** A request before the run gave it an id. A tool may set `id` itself (R10). */
export interface RequestDraft extends Omit<Request, 'id' | 'path' | 'policy'> {
  readonly id?: string;
  readonly policy?: RequestPolicy;
}

/**
 * Says what is wrong with a would-be request, or `undefined` when it is well formed. `id` may be absent
 * or empty: the run then generates one.
 */
export function requestProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return 'Expected a request object.';
  if (value['id'] !== undefined && typeof value['id'] !== 'string') return 'Expected `id` to be a string.';
  if (typeof value['kind'] !== 'string' || value['kind'] === '')
    return 'Expected `kind` to be a non-empty string.';
  if (typeof value['prompt'] !== 'string') return 'Expected `prompt` to be a string.';
  if (value['url'] !== undefined && typeof value['url'] !== 'string') return 'Expected `url` to be a string.';
  if (value['data'] !== undefined && !isRecord(value['data'])) return 'Expected `data` to be an object.';
  const { expiresAt, policy } = value;
  if (policy !== undefined && policyProblem(policy) !== undefined) return policyProblem(policy);
  if (expiresAt === undefined) return undefined;
  if (typeof expiresAt !== 'string' || parseInstant(expiresAt) === undefined)
    return 'Expected `expiresAt` to be an instant with an offset, such as 2026-03-01T12:00:00Z.';
  return undefined;
}

/** True for a well-formed request or request draft. */
export function isRequestDraft(value: unknown): value is RequestDraft {
  return requestProblem(value) === undefined;
}

/** The value as a request draft with nothing but a request's own fields. */
export function toRequestDraft(value: RequestDraft): RequestDraft {
  const { id, kind, prompt, url, data, expiresAt } = value;
  const policy = toPolicy(value.policy);
  return {
    kind,
    prompt,
    ...(id !== undefined && id !== '' && { id }),
    ...(url !== undefined && { url }),
    ...(data !== undefined && { data: data satisfies Json }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(policy && { policy }),
  };
}
