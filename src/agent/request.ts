import { isRecord, type Json, type JsonObject } from './json';

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
}

/** A request before the run gave it an id. A tool may set `id` itself (R10). */
export interface RequestDraft extends Omit<Request, 'id'> {
  readonly id?: string;
}

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * The instant in milliseconds since the epoch, or `undefined` for anything else: a time without an
 * offset (it would move with the host's zone), a day or an hour that does not exist.
 */
export function parseInstant(text: string): number | undefined {
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  const [, year, month, day, hour, minute] = match.map(Number);
  const lastDay = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
  // Outside these years an instant in UTC has no four-digit form, and lists cannot hold it.
  const utcYear = new Date(at).getUTCFullYear();
  if (utcYear < 1 || utcYear > 9999) return undefined;
  const exists = (day ?? 0) >= 1 && (day ?? 0) <= lastDay && (hour ?? 0) <= 23 && (minute ?? 0) <= 59;
  return exists ? at : undefined;
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
  const { expiresAt } = value;
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
  return {
    kind,
    prompt,
    ...(id !== undefined && id !== '' && { id }),
    ...(url !== undefined && { url }),
    ...(data !== undefined && { data: data satisfies Json }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}
