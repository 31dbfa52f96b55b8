import { HoldpointError } from '../agent/errors';
import type { HoldpointClient } from '../client/holdpoint-client';
import type { ConfigSource } from '../config/config';
import type { Authenticate } from '../http/identity';
import type { Limits } from '../http/limits';
import type { HttpLogger } from '../http/services';

/** What the inbox asks of a client that knows the runs of one tenant. */
export type InboxClient = Pick<
  HoldpointClient,
  'requests' | 'get' | 'answer' | 'events' | 'noteRefusal' | 'revokeApproval'
>;

/** What bounds how often somebody may fail to sign in. */
export type SignInLimits = Pick<Limits, 'countRefused' | 'checkRefused'>;

/** Options of {@link createInbox}. */
export interface InboxOptions {
  /** As `createClient` gives it: the inbox makes one for each tenant out of it. */
  readonly client: {
    /** The client for one tenant, or with `null` for the runs that have none. */
    forTenant(tenant: string | null): InboxClient;
  };
  /** Signing keys, public address, sign-in by OpenID and limits, read at each use. */
  readonly config: ConfigSource;
  /**
   * Who holds the API key in `Authorization: Bearer …`, as `createAuthenticator` tells it. Asked at each request of a
   * session that began with a key, so a key that is withdrawn ends the session.
   */
  readonly authenticate: Authenticate;
  /** Counts sign-ins that fail, as the API counts its own. Default: counted here alone. */
  readonly limits?: SignInLimits;
  /** Where it is mounted. Default `/inbox`. */
  readonly path?: string;
  /** Told of what went wrong where the reader gets no detail. Default: nobody. */
  readonly logger?: Pick<HttpLogger, 'warn' | 'error'>;
}

export function checkInboxOptions({ path }: InboxOptions): void {
  if (path === undefined || /^(\/[\w-]+)+$/.test(path)) return;
  throw new HoldpointError(
    'Holdpoint.Inbox.InvalidOptions',
    `Expected \`path\` to be a path such as \`/inbox\`, with no slash at its end, got ${JSON.stringify(path)}.`,
  );
}
