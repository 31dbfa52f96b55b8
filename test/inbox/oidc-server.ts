import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface OidcServer {
  readonly issuer: string;
  close(): Promise<void>;
}

export const CLIENT = { clientId: 'inbox', clientSecret: 'a secret of the tests' };

/** An OpenID provider on a port of its own: whoever types a name is that person, with these claims. */
export async function openOidcServer(
  redirectUri: string,
  claimsOf: (name: string) => object,
): Promise<OidcServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    // The claims in the ID token itself: nobody asks for more afterwards.
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['roles'] },
    pkce: { required: () => true },
    cookies: { keys: ['a secret of the tests'] },
    findAccount: (_: unknown, name: string) => ({
      accountId: name,
      claims: () => ({ sub: name, ...claimsOf(name) }),
    }),
  });
  server.on('request', provider.callback());
  return {
    issuer,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
