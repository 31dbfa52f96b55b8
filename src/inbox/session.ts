import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { isRecord } from '../agent/json';
import type { Identity } from './identity';
import type { InboxOptions } from './options';
import { isSecure } from './origin';
import type { Sealer } from './sealed-cookie';

/** Twelve hours: a day's work, and one sign-in each morning. */
export const SESSION_SECONDS = 12 * 60 * 60;

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

export function newSessions(options: InboxOptions, sealer: Sealer): Sessions {
  const write = async (c: Context, content: Record<string, unknown>): Promise<void> => {
    const sealed = await sealer.seal(PURPOSE, content, SESSION_SECONDS);
    setCookie(c, cookieName(c, options), sealed, { ...attributes(c, options), maxAge: SESSION_SECONDS });
  };
  return {
    async read(c) {
      const content = await sealer.open(PURPOSE, getCookie(c, cookieName(c, options)));
      const token = content?.['token'];
      if (typeof token !== 'string') return { token: '' };
      const identity = await identityIn(content?.['credential'], options);
      return { token, ...(identity && { identity }) };
    },
    begin: (c, credential) => write(c, { token: newToken(), credential }),
    async ensure(c, visit) {
      if (visit.token !== '') return visit;
      const token = newToken();
      await write(c, { token });
      return { ...visit, token };
    },
    end: (c) => {
      deleteCookie(c, cookieName(c, options), attributes(c, options));
    },
  };
}

async function identityIn(credential: unknown, options: InboxOptions): Promise<Identity | undefined> {
  if (!isRecord(credential)) return undefined;
  if (credential['is'] === 'oidc') return toIdentity(credential['identity']);
  return typeof credential['key'] === 'string' ? identityOfKey(credential['key'], options) : undefined;
}

/** Who holds a key, by the same check that the HTTP API makes. */
export async function identityOfKey(key: string, options: InboxOptions): Promise<Identity | undefined> {
  try {
    return await options.authenticate(new Headers({ authorization: `Bearer ${key}` }));
  } catch {
    // No key at all, a character that no header takes, a refusal: nobody.
    return undefined;
  }
}

function toIdentity(value: unknown): Identity | undefined {
  if (!isRecord(value)) return undefined;
  const { subject, roles, tenant, scopes, via } = value;
  if (typeof subject !== 'string' || typeof via !== 'string') return undefined;
  return {
    subject,
    roles: texts(roles),
    ...(typeof tenant === 'string' && { tenant }),
    scopes: texts(scopes),
    via,
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

/** `__Host-`: no other host of the domain can set it, and no plain connection carries it. */
function cookieName(c: Context, options: InboxOptions): string {
  return isSecure(c, options) ? '__Host-holdpoint-inbox' : 'holdpoint-inbox';
}

/** Lax, so that a link in a mail opens the page for somebody who is signed in; posts from elsewhere have no cookie. */
function attributes(c: Context, options: InboxOptions) {
  return { httpOnly: true, sameSite: 'Lax', secure: isSecure(c, options), path: '/' } as const;
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}
