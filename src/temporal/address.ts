const ADDRESS = /^(?:\[[0-9a-f:.]+\]|[^\s:/@[\]]+)(?::(\d+))?$/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const MAX_PORT = 65_535;

/**
 * Says what is wrong with a server's address, or `undefined`. Left to the connection, a URL gives a bare
 * TypeError, or the advice to start a server that is running.
 */
export function addressProblem(address: string, given: boolean): string | undefined {
  const match = ADDRESS.exec(address);
  const port = Number(match?.[1] ?? 1);
  if (match && port >= 1 && port <= MAX_PORT) return undefined;
  const what = given ? '`address`' : 'the address in TEMPORAL_ADDRESS or the configured profile';
  const scheme = SCHEME.exec(address)?.[0];
  const remedy = scheme === undefined ? '' : ` Leave "${scheme}" out; encryption is the option \`tls\`.`;
  return `Expected ${what} to be host:port, such as 127.0.0.1:7233 or [::1]:7233, got "${address}".${remedy}`;
}
