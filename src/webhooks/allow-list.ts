/** `host:port`, where the host may begin with `*.` for any name below it, and the port may be `*`. */
const PATTERN = /^(\*\.[^*:\s/]+|\[[0-9a-f:.]+\]|[^*:\s/[\]]+):(\*|\d{1,5})$/i;

/**
 * Whether a list of `host:port` patterns lets a URL through to wherever its host leads. It compares the host as
 * the URL has it, never what its name resolves to.
 */
export function isAllowed({ hostname, port, protocol }: URL, allow: readonly string[]): boolean {
  const actual = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return allow.some((pattern) => {
    const [, host = '', wanted = ''] = PATTERN.exec(pattern.toLowerCase()) ?? [];
    const fits = host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : host !== '' && hostname === host;
    return fits && (wanted === '*' || wanted === actual);
  });
}

/** Says what is wrong with such a list; `undefined` when nothing is. */
export function allowProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'Expected `webhooks.allow` to be an array of host:port patterns.';
  const bad = (value as readonly unknown[]).find((item) => typeof item !== 'string' || !PATTERN.test(item));
  return bad === undefined
    ? undefined
    : `Expected \`webhooks.allow\` to hold host:port patterns such as 127.0.0.1:8080, localhost:* or *.test:443, got ${JSON.stringify(bad)}.`;
}
