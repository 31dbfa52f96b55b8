import {
  createRemoteJWKSet,
  decodeJwt,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import { HoldpointError } from '../agent/errors';
import { isRecord } from '../agent/json';
import { isTenantName } from '../agent/tenant';
import { SCOPES, type JwtIssuer, type Scope } from '../config/config';
import type { Identity } from './identity';

/** Signed with a key of the issuer's own that nobody here holds. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** The clocks of two machines are never the same. */
const CLOCK_TOLERANCE_S = 5;
export const MAX_SUBJECT = 400;
/** What subjects of other kinds begin with: no issuer can name a person so. */
export const RESERVED = /^(key|link|webhook):/;

type ReadJwt = (issuers: readonly JwtIssuer[], token: string) => Promise<Identity | undefined>;

/** Reads tokens of configured issuers; `undefined` for everything else. The issuers' keys are fetched and kept. */
export function jwtReader(): ReadJwt {
  const keySets = new Map<string, JWTVerifyGetKey>();
  const keySetOf = (uri: string): JWTVerifyGetKey => {
    const known = keySets.get(uri) ?? createRemoteJWKSet(new URL(uri));
    keySets.set(uri, known);
    return known;
  };
  return async (issuers, token) => {
    const issuer = issuerOf(issuers, token);
    if (!issuer) return undefined;
    try {
      const { payload } = await jwtVerify(token, keySetOf(issuer.jwksUri), {
        issuer: issuer.issuer,
        audience: issuer.audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp'],
        clockTolerance: CLOCK_TOLERANCE_S,
      });
      return toIdentity(issuer, payload);
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw new HoldpointError(
        'Holdpoint.Http.Unavailable',
        'The keys of the token’s issuer cannot be fetched at the moment. Send the request again.',
        {},
        { cause: error },
      );
    }
  };
}

/** By what the token says of itself; the signature then shows whether that is so. */
function issuerOf(issuers: readonly JwtIssuer[], token: string): JwtIssuer | undefined {
  try {
    const { iss, aud } = decodeJwt(token);
    const audiences = Array.isArray(aud) ? aud : [aud];
    return issuers.find(({ issuer, audience }) => issuer === iss && audiences.includes(audience));
  } catch {
    return undefined;
  }
}

/** The token's fault, as opposed to the network's or the issuer's. */
function isRefusal(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  return error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC';
}

function toIdentity(issuer: JwtIssuer, claims: JWTPayload): Identity | undefined {
  const subject = claimOf(claims, issuer.subjectClaim);
  if (typeof subject !== 'string' || subject === '' || subject.length > MAX_SUBJECT || RESERVED.test(subject))
    return undefined;
  const { tenantClaim } = issuer;
  const tenant = tenantClaim === undefined ? undefined : claimOf(claims, tenantClaim);
  if (tenantClaim !== undefined && !isTenantName(tenant)) return undefined;
  const granted = issuer.scopes ?? wordsOf(claimOf(claims, issuer.scopeClaim ?? ''));
  return {
    subject,
    roles: wordsOf(claimOf(claims, issuer.rolesClaim)),
    scopes: SCOPES.filter((scope: Scope) => granted.includes(scope)),
    ...(typeof tenant === 'string' && { tenant }),
    via: 'jwt',
    account: `jwt ${issuer.issuer} ${subject}`,
  };
}

/** A claim by its name, or by its path where the token nests it: `realm_access.roles`. */
export function claimOf(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) => (isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined),
      claims,
    );
}

/** A list of words, or one text with spaces between them. */
export function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split(/\s+/).filter((word) => word !== '');
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
}
