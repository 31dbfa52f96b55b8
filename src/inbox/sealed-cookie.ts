import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt, type JWTPayload } from 'jose';

/** Cookies that nobody but the server can read or make. */
export interface Sealer {
  seal(purpose: string, content: JWTPayload, seconds: number): Promise<string>;
  /** `undefined` for anything that was not sealed here for this purpose, and for what is too old. */
  open(purpose: string, sealed: string | undefined): Promise<JWTPayload | undefined>;
}

/**
 * Seals with the first secret and opens with any. A cookie is bound to its purpose: one of a sign-in under way is no
 * session.
 */
export function newSealer(secrets: readonly [string, ...string[]]): Sealer {
  const [first, ...others] = secrets.map((secret) => keyOf(secret)) as [Uint8Array, ...Uint8Array[]];
  return {
    seal: (purpose, content, seconds) =>
      new EncryptJWT(content)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(purpose)
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
        .encrypt(first),
    async open(purpose, sealed) {
      if (sealed === undefined) return undefined;
      for (const key of [first, ...others]) {
        try {
          const { payload } = await jwtDecrypt(sealed, key, {
            audience: purpose,
            keyManagementAlgorithms: ['dir'],
            contentEncryptionAlgorithms: ['A256GCM'],
            requiredClaims: ['exp'],
          });
          return payload;
        } catch {
          // Another key may open it.
        }
      }
      return undefined;
    },
  };
}

function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'holdpoint inbox cookies', 32));
}
