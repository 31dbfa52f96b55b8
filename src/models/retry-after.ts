/** The part of `Headers` that is read. */
export interface HeaderReader {
  get(name: string): string | null;
}

/**
 * How long the provider asks to be left alone, in milliseconds: `retry-after-ms`, or `Retry-After` in seconds
 * or as an HTTP date (R37). A date that has passed gives 0; no header, or one that says nothing, `undefined`.
 * `now` is in milliseconds since the epoch.
 */
export function retryAfterMs(headers: HeaderReader, now: number): number | undefined {
  const inMs = headers.get('retry-after-ms')?.trim() ?? '';
  if (isAmount(inMs)) return Number(inMs);
  const value = headers.get('retry-after')?.trim() ?? '';
  if (isAmount(value)) return Number(value) * 1000;
  const at = parseHttpDate(value);
  return at === undefined ? undefined : Math.max(0, at - now);
}

function isAmount(text: string): boolean {
  return /^\d{1,12}(?:\.\d+)?$/.test(text);
}

function parseHttpDate(text: string): number | undefined {
  // `Date.parse` alone takes almost anything for a date, "retry 5" among it.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return undefined;
  // The oldest of the three forms has no zone and means GMT.
  const at = Date.parse(/ GMT$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
}
