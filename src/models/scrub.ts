/** What stands for a value that was taken out. */
const REMOVED = '***';

/** Keys, tokens and account ids as providers write them into their error messages. */
const PATTERNS: readonly RegExp[] = [
  /\bBearer\s+[^\s"',]+/gi,
  // JSON web tokens.
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  // Keys, whole or masked in part: `sk-proj-abc***xyz`.
  /\b(?:sk|pk|rk|gsk|xai)[-_][\w*.-]*[\w*]/g,
  /\bAIza[\w-]{10,}/g,
  // Bounded: what is searched may be a whole page without a space.
  /[\w.-]{0,64}\*{3,}(?:[\w*.-]{0,256}[\w*])?/g,
  // Organizations and projects; users and accounts only where the rest cannot be a word.
  /\b(?:org|proj)[-_]\w[\w-]*/g,
  /\b(?:user|acct|account)[-_](?=\w*\d)\w+/g,
  // User names, passwords and query values of a URL.
  /(?<=:\/\/)[^\s/@]+(?=@)/g,
  /(?<=[?&](?:key|api[-_]?key|token|access_token|sig|code)=)[^\s&"']+/gi,
];

/** Shorter values would take ordinary words out of a message; no real key is that short. */
const SHORTEST_SECRET = 4;

/**
 * The text without keys, tokens and account ids: what looks like one, and every one of `secrets` (R37).
 *
 * ```ts
 * scrub('Incorrect API key provided: sk-abc123.'); // 'Incorrect API key provided: ***.'
 * ```
 */
export function scrub(text: string, secrets: readonly string[] = []): string {
  const configured = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // A secret that contains another must go first, or its rest would stay.
    .sort((a, b) => b.length - a.length);
  const without = configured.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text);
  return PATTERNS.reduce((rest, pattern) => rest.replace(pattern, REMOVED), without);
}
