import type { HoldpointClient } from '../client/holdpoint-client';
import { HoldpointError } from '../agent/errors';
import type { Identity } from './identity';

/** What the inbox asks of a client. */
export type InboxClient = Pick<HoldpointClient, 'requests' | 'get' | 'answer' | 'events'>;

/** Sign-in with an OpenID Connect provider, by the code flow with PKCE. */
export interface OidcOptions {
  /** The provider's issuer, such as `https://login.example.com`. Only a loopback address may be `http`. */
  readonly issuer: string;
  readonly clientId: string;
  /** Left out for a public client. */
  readonly clientSecret?: string;
  /** Default `openid profile email`. */
  readonly scope?: string;
  /** What the button says. Default: the issuer's host. */
  readonly name?: string;
  /** Who somebody is by the claims of a checked ID token; `undefined` for somebody who has no business here. */
  identityOf(claims: Readonly<Record<string, unknown>>): Identity | undefined;
}

/** Options of {@link createInbox}. */
export interface InboxOptions {
  /** For people of every tenant. */
  readonly client: InboxClient;
  /** A client that knows the runs of one tenant only. Without it, people with a tenant are refused. */
  readonly forTenant?: (tenant: string) => InboxClient;
  /**
   * Who holds the API key in `Authorization: Bearer …`; `undefined` or a throw for nobody. Asked at each request of a
   * session that began with a key, so a key that is withdrawn ends the session.
   */
  authenticate(headers: Headers): Promise<Identity | undefined> | Identity | undefined;
  /** 32 characters or more, kept secret. The first seals sessions, all of them open them: put a new one in front. */
  readonly sessionSecrets: readonly [string, ...string[]];
  /** Where people reach the server, such as `https://approvals.example.com`. Default: as the request says. */
  readonly publicUrl?: string;
  readonly oidc?: OidcOptions;
  /** Where it is mounted. Default `/inbox`. */
  readonly path?: string;
  /** Told of what went wrong where the reader gets no detail. */
  readonly onError?: (error: unknown) => void;
}

const MIN_SECRET = 32;

export function checkInboxOptions({ sessionSecrets, publicUrl, path }: InboxOptions): void {
  if (sessionSecrets.length === 0 || sessionSecrets.some((secret) => secret.length < MIN_SECRET))
    throw invalid(`Expected each of \`sessionSecrets\` to have ${MIN_SECRET} characters or more.`);
  if (publicUrl !== undefined && !/^https?:\/\/[^/]+\/?$/.test(publicUrl))
    throw invalid('Expected `publicUrl` to be an origin, such as `https://approvals.example.com`.');
  if (path !== undefined && !/^(\/[\w-]+)+$/.test(path))
    throw invalid('Expected `path` to be a path without a slash at its end, such as `/inbox`.');
}

function invalid(message: string): HoldpointError {
  return new HoldpointError('Holdpoint.Inbox.InvalidOptions', message);
}
