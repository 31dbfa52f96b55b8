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
