import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { JWTPayload } from 'jose';
import { isRecord } from '../agent/json';
import { HoldpointError } from '../agent/errors';
import { SCOPES } from '../config/config';
import type { Identity } from '../http/identity';
import type { InboxOptions } from './options';
import { isSecure } from './origin';
import type { Sealer } from './sealed-cookie';

/** A key is asked about at each request: twelve hours, a day's work and one sign-in each morning. */
const KEY_SECONDS = 12 * 60 * 60;

/** What an ID token said is asked again only at the next sign-in. */
const OIDC_HOURS = 8;

/** A browser's visit. `token` proves that a form came from one of its own pages. */
export interface Visit {
  readonly token: string;
  readonly identity?: Identity;
}

/** How somebody signed in: a key is asked about again at each request, an ID token was checked once. */
export type Credential =
  { readonly is: 'key'; readonly key: string } | { readonly is: 'oidc'; readonly identity: Identity };

const PURPOSE = 'session';

export interface Sessions {
  read(c: Context): Promise<Visit>;
  /** A new token with each sign-in, so that none from before counts. */
  begin(c: Context, credential: Credential): Promise<void>;
  /** For a visitor without a session: the sign-in form needs a token as well. */
  ensure(c: Context, visit: Visit): Promise<Visit>;
  end(c: Context): void;
}

export function newSessions({ config, authenticate }: InboxOptions, sealer: Sealer): Sessions {
  const attributes = (c: Context) =>
    // Lax, so that a link in a mail opens the page for somebody who is signed in; posts from elsewhere have no cookie.
    ({ httpOnly: true, sameSite: 'Lax', secure: isSecure(c, config), path: '/' }) as const;
  // `__Host-`: no other host of the domain can set it, and no plain connection carries it.
  const nameFor = (c: Context): string =>
    isSecure(c, config) ? '__Host-holdpoint-inbox' : 'holdpoint-inbox';
  const oidcSeconds = (): number => Math.round((config.current.oidc?.sessionHours ?? OIDC_HOURS) * 60 * 60);
  const write = async (c: Context, content: Record<string, unknown>, seconds: number): Promise<void> => {
    const sealed = await sealer.seal(PURPOSE, content, seconds);
    setCookie(c, nameFor(c), sealed, { ...attributes(c), maxAge: seconds });
  };
  return {
    async read(c) {
      const content = await sealer.open(PURPOSE, getCookie(c, nameFor(c)));
      const token = content?.['token'];
      if (typeof token !== 'string') return { token: '' };
      const credential = content?.['credential'];
      // A shorter life in the configuration ends sessions that began under a longer one, and no provider ends all.
      if (isOidc(credential) && (!config.current.oidc || isOlder(content, oidcSeconds())))
        return { token: '' };
      const identity = await identityIn(credential, authenticate);
      return { token, ...(identity && { identity }) };
    },
    begin: (c, credential) =>
      write(c, { token: newToken(), credential }, isOidc(credential) ? oidcSeconds() : KEY_SECONDS),
    async ensure(c, visit) {
      if (visit.token !== '') return visit;
      const token = newToken();
      await write(c, { token }, KEY_SECONDS);
      return { ...visit, token };
    },
    end: (c) => {
      deleteCookie(c, nameFor(c), attributes(c));
    },
  };
}

function isOidc(credential: unknown): boolean {
  return isRecord(credential) && credential['is'] === 'oidc';
}

function isOlder(content: JWTPayload | undefined, seconds: number): boolean {
  return content?.iat === undefined || Date.now() / 1000 >= content.iat + seconds;
}

type Ask = InboxOptions['authenticate'];

async function identityIn(credential: unknown, authenticate: Ask): Promise<Identity | undefined> {
  if (!isRecord(credential)) return undefined;
  if (credential['is'] === 'oidc') return toIdentity(credential['identity']);
  return typeof credential['key'] === 'string' ? identityOfKey(credential['key'], authenticate) : undefined;
}

/**
 * Who holds a key, by the same check that the HTTP API makes; `undefined` for nobody. Throws
 * `Holdpoint.Http.Unavailable` where that cannot be told now.
 */
export async function identityOfKey(key: string, authenticate: Ask): Promise<Identity | undefined> {
  // Anything else is no header's value.
  if (!/^[\x21-\x7e]+$/.test(key)) return undefined;
  try {
    return await authenticate(new Headers({ authorization: `Bearer ${key}` }));
  } catch (error) {
    if (error instanceof HoldpointError && error.type === 'Holdpoint.Http.Unauthenticated') return undefined;
    throw error;
  }
}

function toIdentity(value: unknown): Identity | undefined {
  if (!isRecord(value)) return undefined;
  const { subject, roles, tenant, scopes, account } = value;
  if (typeof subject !== 'string' || typeof account !== 'string') return undefined;
  const granted: readonly unknown[] = Array.isArray(scopes) ? scopes : [];
  return {
    subject,
    roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
    ...(typeof tenant === 'string' && { tenant }),
    scopes: SCOPES.filter((scope) => granted.includes(scope)),
    via: 'session',
    account,
  };
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}
