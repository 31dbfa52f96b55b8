const FIRST_MS = 5_000;
/** The server takes a wait of nothing for the end of all attempts (measured). */
const LEAST_MS = 1_000;
/** An endpoint that always asks for a moment would otherwise be called a quarter of a million times. */
const LEAST_SHARE = 1 / 16;
const LONGEST_MS = 6 * 60 * 60_000;
/** So that what failed together does not come back together. */
const JITTER = 0.2;

/**
 * How long to wait after a failed attempt, the first of which is 1: twice as long each time, from five seconds to six
 * hours, give or take a fifth. What the endpoint asked for in `Retry-After` goes before, but not under a second or a
 * sixteenth of that, and not over six hours.
 */
export function retryDelayMs(attempt: number, askedMs?: number, random: () => number = Math.random): number {
  const base = Math.min(FIRST_MS * 2 ** Math.min(attempt - 1, 20), LONGEST_MS);
  if (askedMs !== undefined)
    return Math.min(Math.max(Math.ceil(askedMs), LEAST_MS, base * LEAST_SHARE), LONGEST_MS);
  return Math.round(base * (1 - JITTER + 2 * JITTER * random()));
}
