import { hkdfSync, randomBytes } from 'node:crypto';
import { EncryptJWT, jwtDecrypt, type JWTPayload } from 'jose';
import type { ConfigSource, SigningKey } from '../config/config';

/** Cookies that nobody but the server can read or make. */
export interface Sealer {
  seal(purpose: string, content: JWTPayload, seconds: number): Promise<string>;
  /** `undefined` for anything that was not sealed here for this purpose, and for what is too old. */
  open(purpose: string, sealed: string | undefined): Promise<JWTPayload | undefined>;
}

/**
 * Seals with the first signing key that signs, and opens with any, so keys can be changed while people are signed in.
 * A cookie is bound to its purpose: one of a sign-in under way is no session. With no keys at all it seals with one of
 * its own, and sessions end with the process.
 */
export function newSealer(config: ConfigSource): Sealer {
  const own: SigningKey = { id: 'process', secret: new Uint8Array(randomBytes(32)), verifyOnly: false };
  const keys = (): readonly SigningKey[] => {
    const { signingKeys } = config.current;
    return signingKeys.length === 0 ? [own] : signingKeys;
  };
  return {
    async seal(purpose, content, seconds) {
      const key = keys().find(({ verifyOnly }) => !verifyOnly) ?? own;
      return new EncryptJWT(content)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: key.id })
        .setAudience(purpose)
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
        .encrypt(cookieKey(key));
    },
    async open(purpose, sealed) {
      if (sealed === undefined) return undefined;
      try {
        const { payload } = await jwtDecrypt(
          sealed,
          ({ kid }) => {
            const key = [...keys(), own].find(({ id }) => id === kid);
            if (!key) throw new Error('No key of ours sealed it');
            return cookieKey(key);
          },
          {
            audience: purpose,
            keyManagementAlgorithms: ['dir'],
            contentEncryptionAlgorithms: ['A256GCM'],
            requiredClaims: ['exp'],
          },
        );
        return payload;
      } catch {
        return undefined;
      }
    },
  };
}

/** A key of its own for cookies: what signs links cannot open a session. */
function cookieKey({ secret }: SigningKey): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'holdpoint inbox cookies', 32));
}
