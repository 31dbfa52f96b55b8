import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { isNames, MAX_APPROVER_LENGTH, MAX_APPROVERS } from './policy';
import { canonicalJson, isRecord, jsonSize, parseJson, type JsonObject } from './json';

/**
 * What a host says to a request (R11). `id` is the request's id. `ok: false` is a decline.
 *
 * `answerId` names this answer: sent again under the same id it is a repeat and changes nothing (R29).
 */
export interface Answer {
  readonly id: string;
  readonly ok: boolean;
  /** Results, edited arguments, whatever the request asks for. Ignored when `ok` is false. */
  readonly data?: JsonObject;
  /** Why not; the model reads it. */
  readonly reason?: string;
  /** Who answers, for the record. Whoever takes answers from others must set it: the run believes it. */
  readonly by?: string;
  /** What they are, for a request that only some may answer; at most 50. The run believes these, too. */
  readonly roles?: readonly string[];
  /** Where it was given, for the record: a word such as `inbox`, at most 64 characters. */
  readonly channel?: string;
  readonly answerId?: string;
}

/** An answer over this many bytes of JSON is refused: a result travels whole in one message of 2 MB. */
export const MAX_ANSWER_BYTES = 1_048_576;

/** Longest `id`, `answerId` and `by`, in characters. */
export const MAX_ID_LENGTH = 512;

/** Longest `channel`, in characters. */
export const MAX_CHANNEL_LENGTH = 64;

/** Longest `reason`, in characters: each call that the answer declines gets it. */
export const MAX_REASON_LENGTH = 4096;

export type ParsedAnswer =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly problem: string; readonly tooLarge?: true };

/**
 * Reads an answer from anything a sender may have put on the wire. Unknown fields are left out, and no
 * value of `data` appears in a problem (R11).
 */
export function parseAnswer(value: unknown): ParsedAnswer {
  if (!isRecord(value))
    return wrong(
      `Expected an answer object {id, ok, data?, reason?, by?, answerId?}, got ${typeName(value)}.${jsonTextHint(value)}`,
    );
  const { id, ok, data, reason, by, roles, channel, answerId } = value;
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID_LENGTH)
    return wrong(`Expected \`id\` to be the request's id, a string of 1 to ${MAX_ID_LENGTH} characters.`);
  if (typeof ok !== 'boolean') return wrong(`Expected \`ok\` to be a boolean, got ${typeName(ok)}.`);
  if (data !== undefined && !isRecord(data))
    return wrong(`Expected \`data\` to be an object, got ${typeName(data)}.${jsonTextHint(data)}`);
  if (reason !== undefined && !isShort(reason, MAX_REASON_LENGTH))
    return wrong(
      `Expected \`reason\` to be a string of at most ${MAX_REASON_LENGTH} characters, got ${sizeName(reason)}.`,
    );
  if (by !== undefined && !isShort(by, MAX_ID_LENGTH))
    return wrong(
      `Expected \`by\` to be a string of at most ${MAX_ID_LENGTH} characters, got ${sizeName(by)}.`,
    );
  if (roles !== undefined && !(Array.isArray(roles) && (roles.length === 0 || isNames(roles))))
    return wrong(
      `Expected \`roles\` to be an array of at most ${MAX_APPROVERS} strings of 1 to ${MAX_APPROVER_LENGTH} characters.`,
    );
  if (channel !== undefined && !isShort(channel, MAX_CHANNEL_LENGTH))
    return wrong(
      `Expected \`channel\` to be a string of at most ${MAX_CHANNEL_LENGTH} characters, got ${sizeName(channel)}.`,
    );
  if (
    answerId !== undefined &&
    (typeof answerId !== 'string' || answerId === '' || answerId.length > MAX_ID_LENGTH)
  )
    return wrong(`Expected \`answerId\` to be a string of 1 to ${MAX_ID_LENGTH} characters.`);
  const answer: Answer = {
    id,
    ok,
    ...(data !== undefined && { data: data as JsonObject }),
    ...(reason !== undefined && { reason }),
    ...(by !== undefined && { by }),
    ...(roles !== undefined && { roles: roles as readonly string[] }),
    ...(channel !== undefined && { channel }),
    ...(answerId !== undefined && { answerId }),
  };
  const bytes = jsonSize(answer);
  if (bytes > MAX_ANSWER_BYTES)
    return {
      ok: false,
      tooLarge: true,
      problem: `The answer has ${bytes} bytes as JSON; at most ${MAX_ANSWER_BYTES} are taken. Store the result elsewhere and answer with a reference to it.`,
    };
  return { ok: true, answer };
}

/** A digest of what an answer says: `ok`, `data`, `reason` and `by`, key order ignored (R29). */
export function answerFingerprint(answer: Answer): string {
  const { id, ok, data, reason, by } = answer;
  return bytesToHex(sha256(utf8ToBytes(canonicalJson({ id, ok, data, reason, by })))).slice(0, 32);
}

function wrong(problem: string): ParsedAnswer {
  return { ok: false, problem };
}

function isShort(value: unknown, length: number): value is string {
  return typeof value === 'string' && value.length <= length;
}

function sizeName(value: unknown): string {
  return typeof value === 'string' ? `${value.length}` : typeName(value);
}

/** What a value is, in place of the value. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** For a sender who wrote JSON twice over; "" for any other value. */
export function jsonTextHint(value: unknown): string {
  if (typeof value !== 'string') return '';
  const inner = parseJson(value);
  return typeof inner === 'object' && inner !== null
    ? ' It is text that holds JSON: send the value itself, without quotes around it.'
    : '';
}
