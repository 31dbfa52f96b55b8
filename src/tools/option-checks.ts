/**
 * Says which keys of an options object nobody reads, with those that are read, or `undefined`. A misspelt
 * option must not pass for its default (R1).
 */
export function unknownOptions(
  given: object,
  known: readonly string[],
  { what = 'option', owner = '' } = {},
): string | undefined {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return undefined;
  const shown = unknown.map((name) => `\`${name}\``).join(', ');
  return `Unknown ${what} ${shown}${owner && ` of ${owner}`}. The ${what}s are ${known.join(', ')}.`;
}

/** Told by what is used of it: another realm's signal is one too. */
export function isSignal(value: unknown): value is AbortSignal {
  return (
    typeof value === 'object' &&
    value !== null &&
    'aborted' in value &&
    'addEventListener' in value &&
    typeof value.addEventListener === 'function'
  );
}

/** A value as an error may show it: short, and of an object only that it is one. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === undefined) return String(value);
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}
