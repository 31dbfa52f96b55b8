/**
 * Keeps webhooks away from what only this network can reach (server-side request forgery).
 *
 * 1. An address is judged after its name was resolved, and that very address is dialled (`pinned`): a name that
 *    means another address a moment later gains nothing.
 * 2. Only public unicast addresses pass. What is not known to be one is refused, IPv6 forms that hold an IPv4
 *    address among it.
 * 3. Redirects are not followed, so there is no second address.
 */
import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { isAllowed } from './allow-list';

/** Finds all addresses of a host name. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

/** Where a request may go, or why not. */
export type Target =
  | { readonly is: 'open'; readonly url: URL; readonly addresses: readonly LookupAddress[] }
  | { readonly is: 'refused'; readonly why: string };

/** Public by its number, but answered by the machine's own platform (Azure's metadata and agent service). */
const METADATA = new Set(['168.63.129.16']);
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

const lookupAll = promisify(lookup);

/** The system's resolver, as any other program here would ask it. */
export const resolveHost: ResolveHost = (host) => lookupAll(host, { all: true, verbatim: true });

/** Says what is wrong with a URL before its host is resolved, without showing it; `undefined` when nothing is. */
export function urlProblem(text: string, allow: readonly string[]): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return 'expected `url` to be an absolute URL.';
  if (url.username !== '' || url.password !== '')
    return '`url` holds a user name or a password. Leave them out: events are signed.';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'expected `url` to begin with https://.';
  if (isAllowed(url, allow)) return undefined;
  if (url.protocol !== 'https:')
    return 'expected `url` to begin with https://. For development, put its host and port in `allow`.';
  const why = ipaddr.isValid(hostOf(url)) ? addressProblem(hostOf(url)) : undefined;
  return why === undefined
    ? undefined
    : `the host of \`url\` is ${why}. Only public addresses are called; for development, put its host and port in \`allow\`.`;
}

/** Resolves an endpoint's host and judges every address of it. Rejects when the name cannot be resolved. */
export async function resolveTarget(
  text: string,
  {
    allow = [],
    resolve = resolveHost,
  }: { readonly allow?: readonly string[]; readonly resolve?: ResolveHost },
): Promise<Target> {
  const problem = urlProblem(text, allow);
  if (problem !== undefined) return { is: 'refused', why: problem };
  const url = new URL(text);
  const host = hostOf(url);
  const literal = ipaddr.isValid(host)
    ? [{ address: host, family: ipaddr.parse(host).kind() === 'ipv6' ? 6 : 4 }]
    : undefined;
  const addresses = literal ?? (await resolve(host));
  if (addresses.length === 0) throw new Error('its name has no address');
  if (!isAllowed(url, allow))
    for (const { address } of addresses) {
      const why = addressProblem(address);
      // All of them, not the first that passes: the dialler may take any.
      if (why !== undefined) return { is: 'refused', why: `its name leads to ${why}` };
    }
  return { is: 'open', url, addresses };
}

/** For `lookup` of a request: dials what was judged, whatever the name means by now. */
export function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** What kind of address it is that must not be called; `undefined` for a public one. */
export function addressProblem(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return 'no address';
  const parsed = ipaddr.parse(address);
  const range: string = parsed.range();
  if (METADATA.has(parsed.toString())) return 'a metadata address';
  if (range !== 'unicast') return `an address of the range ${range}`;
  // Whatever has no name yet, and addresses that hold an IPv4 one in their last bits.
  if (parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_UNICAST)) return 'no global address';
  return undefined;
}

/** Without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
