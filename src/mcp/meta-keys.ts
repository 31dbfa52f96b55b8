import { isRecord, type JsonObject } from '../agent/json';

/** Key of a request's `_meta`: its value is the same for each retry of one call. */
export const IDEMPOTENCY_KEY = 'dev.holdpoint/idempotency-key';
/** Key of a request's `_meta`: joins the logs of several systems. */
export const CORRELATION_KEY = 'dev.holdpoint/correlation';

/** Those that are read: ours, and the ones of the reference. */
const IDEMPOTENCY_KEYS = [IDEMPOTENCY_KEY, 'io.github.gleam-dream/idempotency-key'] as const;
const CORRELATION_KEYS = [CORRELATION_KEY, 'io.github.gleam-dream/correlation'] as const;

/** Visible ASCII, so that a key reads the same in every log and header. */
const VISIBLE = /^[\x21-\x7e]{1,128}$/;

/** The idempotency key of a request, or why it is refused with -32602: a key that is there is never dropped. */
export type IdempotencyKey =
  { readonly ok: true; readonly key: string | undefined } | { readonly ok: false; readonly problem: string };

/** Reads the idempotency key from a request's `_meta`. */
export function idempotencyKeyFrom(meta: unknown): IdempotencyKey {
  const sent = isRecord(meta) ? IDEMPOTENCY_KEYS.filter((name) => meta[name] !== undefined) : [];
  const keys = new Set<string>();
  for (const name of sent) {
    const key = (meta as JsonObject)[name];
    if (typeof key !== 'string' || !VISIBLE.test(key))
      return { ok: false, problem: `Expected ${name} to be 1 to 128 bytes of visible ASCII.` };
    keys.add(key);
  }
  if (keys.size > 1) return { ok: false, problem: `${sent.join(' and ')} hold different keys. Send one.` };
  const [key] = keys;
  return { ok: true, key };
}

/** The first valid correlation of the transport's, the header's and the `_meta`'s; undefined when there is none. */
export function correlationFrom(
  transport: string | undefined,
  header: string | undefined,
  meta: unknown,
): string | undefined {
  const sent = isRecord(meta) ? CORRELATION_KEYS.map((name) => meta[name]) : [];
  return [transport, header, ...sent].find(
    (value): value is string => typeof value === 'string' && VISIBLE.test(value),
  );
}
