import type { Configuration } from 'openid-client';
import type { Identity } from './identity';
import type { OidcOptions } from './options';

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
export function newOidcFlow(options: OidcOptions): OidcFlow {
  let found: Promise<Configuration> | undefined;
  const provider = (): Promise<Configuration> => {
    found ??= discover(options).catch((error: unknown) => {
      // The next sign-in may find it.
      found = undefined;
      throw error;
    });
    return found;
  };
  return {
    async begin(redirectUri) {
      const oidc = await import('openid-client');
      const check = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(await provider(), {
        redirect_uri: redirectUri,
        scope: options.scope ?? 'openid profile email',
        code_challenge: await oidc.calculatePKCECodeChallenge(check.verifier),
        code_challenge_method: 'S256',
        state: check.state,
        nonce: check.nonce,
      });
      return { url, check };
    },
    async finish(current, { state, nonce, verifier }) {
      const oidc = await import('openid-client');
      const tokens = await oidc.authorizationCodeGrant(await provider(), current, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      return claims && options.identityOf({ ...claims });
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcOptions): Promise<Configuration> {
  const oidc = await import('openid-client');
  const server = new URL(issuer);
  return oidc.discovery(
    server,
    clientId,
    clientSecret,
    clientSecret === undefined ? oidc.None() : undefined,
    {
      timeout: 10,
      execute: isLoopback(server) ? [oidc.allowInsecureRequests] : [],
    },
  );
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
