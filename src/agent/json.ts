/** A JSON value. What crosses the wire is always one of these (R12). */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. A key that is `undefined` is absent once serialised. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** A JSON Schema document, kept as data. */
export type JsonSchema = JsonObject;

/** True for a plain object: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON text; `undefined` where it is not JSON (no JSON text parses to `undefined`). */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** JSON text with every object's keys in code unit order, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (isRecord(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    return `{${keys
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
      .join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}

/** Bytes of a string in UTF-8, without building the bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A surrogate pair is two units and four bytes.
    if (unit >= 0xd800 && unit < 0xdc00 && at + 1 < text.length) {
      at += 1;
      bytes += 0;
    }
  }
  return bytes;
}

/** Bytes of a value as JSON in UTF-8. */
export function jsonSize(value: unknown): number {
  return utf8Length(JSON.stringify(value) ?? '');
}
