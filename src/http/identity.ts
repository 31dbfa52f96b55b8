import { HoldpointError } from '../agent/errors';
import type { ApiKeyEntry, ConfigSource, Scope } from '../config/config';
import { findApiKey } from '../config/api-key';
import { jwtReader } from './jwt';

/** Who calls, and what they may do. It comes from a credential, never from what a caller says of themselves. */
export interface Identity {
  /** `key:<name>`, or the person that a token or a session names. The `by` of receipts and the audit. */
  readonly subject: string;
  readonly roles: readonly string[];
  /** Whose runs they reach. Absent: those that have no tenant. */
  readonly tenant?: string;
  readonly scopes: readonly Scope[];
  readonly via: 'key' | 'jwt' | 'session' | 'token' | 'webhook';
  /** What limits count by: no two callers have the same. */
  readonly account: string;
}

/** Finds out who sent a request. Throws `Holdpoint.Http.Unauthenticated`, or `…Unavailable` where that cannot be told now. */
export type Authenticate = (headers: Headers) => Promise<Identity>;

/** How many characters of a credential are looked at. */
const MAX_CREDENTIAL = 16_384;

/** Takes API keys and JSON Web Tokens as the configuration has them at that moment. */
export function createAuthenticator(config: ConfigSource): Authenticate {
  const readJwt = jwtReader();
  return async (headers) => {
    const credential = bearerOf(headers);
    const { keys, jwt } = config.current;
    if (credential.startsWith('hp_')) {
      const entry = findApiKey(keys, credential, Date.now());
      if (entry) return identityOf(entry);
    } else {
      const identity = await readJwt(jwt, credential);
      if (identity) return identity;
    }
    throw unauthenticated('The credential is not valid: it is unknown, was revoked or has expired.', {
      error: 'invalid_token',
    });
  };
}

export function unauthenticated(problem: string, data: { readonly error?: string } = {}): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Http.Unauthenticated',
    `${problem} Send \`Authorization: Bearer <API key or JWT>\`.`,
    data,
  );
}

function bearerOf(headers: Headers): string {
  const header = headers.get('authorization');
  if (header === null) throw unauthenticated('This needs a credential.');
  const [, credential] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (credential !== undefined && credential.length <= MAX_CREDENTIAL) return credential;
  throw unauthenticated('The header Authorization holds no bearer credential.', { error: 'invalid_request' });
}

function identityOf({ id, name, roles, tenant, scopes }: ApiKeyEntry): Identity {
  return {
    subject: `key:${name}`,
    roles,
    scopes,
    ...(tenant !== undefined && { tenant }),
    via: 'key',
    account: `key ${id}`,
  };
}
