import type { Configuration } from 'openid-client';
import { isTenantName } from '../agent/tenant';
import type { ConfigSource, OidcConfig } from '../config/config';
import type { Identity } from '../http/identity';
import { claimOf, MAX_SUBJECT, RESERVED, wordsOf } from '../http/jwt';

/** What a sign-in under way must remember, in a cookie of the browser that began it. */
export interface OidcCheck {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcFlow {
  /** Where to send the browser, and what to remember. */
  begin(redirectUri: string): Promise<{ readonly url: URL; readonly check: OidcCheck }>;
  /** Who came back. Throws where the provider's answer does not fit what was remembered. */
  finish(current: URL, check: OidcCheck): Promise<Identity | undefined>;
}

/** The code flow with PKCE, state and nonce. The provider is looked up at the first sign-in, not at the start. */
export function newOidcFlow(config: ConfigSource): OidcFlow {
  let found: { readonly settings: OidcConfig; readonly provider: Promise<Configuration> } | undefined;
  const provider = (settings: OidcConfig): Promise<Configuration> => {
    // Other settings are another provider.
    if (found?.settings !== settings) {
      const looked = discover(settings);
      found = { settings, provider: looked };
      looked.catch(() => {
        // The next sign-in may find it.
        if (found?.provider === looked) found = undefined;
      });
    }
    return found.provider;
  };
  const settings = (): OidcConfig => {
    const { oidc } = config.current;
    if (!oidc) throw new Error('The configuration has no OpenID provider any more');
    return oidc;
  };
  return {
    async begin(redirectUri) {
      const oidc = await import('openid-client');
      const check = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const now = settings();
      const url = oidc.buildAuthorizationUrl(await provider(now), {
        redirect_uri: redirectUri,
        scope: now.scopes.join(' '),
        code_challenge: await oidc.calculatePKCECodeChallenge(check.verifier),
        code_challenge_method: 'S256',
        state: check.state,
        nonce: check.nonce,
      });
      return { url, check };
    },
    async finish(current, { state, nonce, verifier }) {
      const oidc = await import('openid-client');
      const now = settings();
      const tokens = await oidc.authorizationCodeGrant(await provider(now), current, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      return claims && identityOf(now, { ...claims });
    },
  };
}

/**
 * Who somebody is, by one claim and no other in its place: with another name the same person would have a second vote.
 */
export function identityOf(
  {
    issuer,
    subjectClaim = 'email',
    rolesClaim,
    tenantClaim,
    allowedTenants,
    allowedRoles,
    allowedDomains,
  }: OidcConfig,
  claims: Readonly<Record<string, unknown>>,
): Identity | undefined {
  const { sub } = claims;
  const email = claims['email_verified'] === true ? claims['email'] : undefined;
  const subject = subjectClaim === 'email' ? email : claimOf(claims, subjectClaim);
  if (typeof sub !== 'string' || typeof subject !== 'string') return undefined;
  if (subject === '' || subject.length > MAX_SUBJECT || RESERVED.test(subject)) return undefined;
  const tenant = tenantClaim === undefined ? undefined : claimOf(claims, tenantClaim);
  if (tenantClaim !== undefined && !isTenantName(tenant)) return undefined;
  if (allowedTenants && !(isTenantName(tenant) && allowedTenants.includes(tenant))) return undefined;
  const roles = wordsOf(claimOf(claims, rolesClaim));
  if (allowedRoles && !allowedRoles.some((role) => roles.includes(role))) return undefined;
  if (allowedDomains && !allowedDomains.includes(domainOf(email))) return undefined;
  return {
    subject,
    roles,
    ...(isTenantName(tenant) && { tenant }),
    scopes: ['requests:read', 'requests:answer'],
    via: 'session',
    account: `oidc ${issuer} ${sub}`,
  };
}

function domainOf(email: unknown): string {
  const at = typeof email === 'string' ? email.lastIndexOf('@') : 0;
  return typeof email === 'string' && at > 0 ? email.slice(at + 1).toLowerCase() : '';
}

async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<Configuration> {
  const oidc = await import('openid-client');
  const server = new URL(issuer);
  return oidc.discovery(server, clientId, clientSecret, undefined, {
    timeout: 10,
    execute: isLoopback(server) ? [oidc.allowInsecureRequests] : [],
  });
}

/** Only a provider on this machine, as in a test, may be asked without TLS. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
