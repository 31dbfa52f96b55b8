import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { HoldpointError } from '../agent/errors';
import type { SigningKey } from '../config/config';

/** Purpose: no other token that the same keys sign, such as a session, is one of these. */
const AUDIENCE = 'holdpoint:answer';
const TYPE = 'holdpoint-answer+jwt';
const ALGORITHM = 'HS256';
/** Longer than any that is made. */
const MAX_LENGTH = 8_192;
const DEFAULT_LIFE_MS = 180 * 24 * 60 * 60 * 1000;

/** What a link may do: say yes, or say no. */
export const DECISIONS = ['approve', 'decline'] as const;

/** A yes or a no. */
export type Decision = (typeof DECISIONS)[number];

/** What a token allows: one answer to one request of one run. */
export interface AnswerGrant {
  /** As its tenant knows it: `ticket-77`, or `customer-77/3` for an ask of a conversation. */
  readonly runId: string;
  /** First execution of the run's chain, so that no later run under the same id can be answered. */
  readonly firstExecutionId: string;
  readonly requestId: string;
  readonly tenant?: string;
  /** The person whom it was sent to; the answer is theirs. */
  readonly by?: string;
  readonly roles?: readonly string[];
  /** Default: both. */
  readonly decisions?: readonly Decision[];
}

/**
 * Makes a token. It is a capability: whoever has it can answer, so it belongs in no log and no referrer.
 *
 * `at` (default now) and `expiresAt` (default 180 days later) are instants in milliseconds since the epoch; the same
 * grant at the same instant gives the same token. Throws `Holdpoint.Token.NoKey` when no key signs.
 */
export async function createAnswerToken(
  keys: readonly SigningKey[],
  grant: AnswerGrant,
  times: { readonly at?: number; readonly expiresAt?: number } = {},
): Promise<string> {
  const { at = Date.now(), expiresAt = at + DEFAULT_LIFE_MS } = times;
  const key = signingKeyOf(keys);
  const { runId, firstExecutionId, requestId, tenant, by, roles, decisions } = grant;
  return new SignJWT({
    run: runId,
    exe: firstExecutionId,
    req: requestId,
    ...(tenant !== undefined && { ten: tenant }),
    ...(by !== undefined && { by }),
    ...(roles !== undefined && { rol: [...roles] }),
    ...(decisions !== undefined && { dec: [...decisions] }),
  })
    .setProtectedHeader({ alg: ALGORITHM, kid: key.id, typ: TYPE })
    .setAudience(AUDIENCE)
    .setIssuedAt(Math.floor(at / 1000))
    .setExpirationTime(Math.ceil(expiresAt / 1000))
    .sign(key.secret);
}

/** The key that signs now. Throws `Holdpoint.Token.NoKey`. */
export function signingKeyOf(keys: readonly SigningKey[]): SigningKey {
  const key = keys.find(({ verifyOnly }) => !verifyOnly);
  if (key) return key;
  throw new HoldpointError(
    'Holdpoint.Token.NoKey',
    'No key signs answer links. Run `holdpoint keys signing` where the server’s configuration is: it adds one, and the server takes it up by itself.',
  );
}

/**
 * Reads a token. Throws `Holdpoint.Token.Unknown`, the same for everything that is no token of ours, and
 * `Holdpoint.Token.Expired` for one that was.
 */
export async function verifyAnswerToken(keys: readonly SigningKey[], token: string): Promise<AnswerGrant> {
  if (token.length > MAX_LENGTH) throw unknownToken();
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = keys.find(({ id }) => id === kid);
        if (!key) throw unknownToken();
        return key.secret;
      },
      { algorithms: [ALGORITHM], audience: AUDIENCE, typ: TYPE, requiredClaims: ['exp'] },
    );
    return toGrant(payload);
  } catch (error) {
    // The signature is checked before the claims, so this one was ours.
    if (error instanceof errors.JWTExpired)
      throw new HoldpointError(
        'Holdpoint.Token.Expired',
        'This link has expired. Ask whoever sent it for a new one.',
      );
    throw unknownToken();
  }
}

/** Says nothing of why: who guesses learns nothing. */
export function unknownToken(): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Token.Unknown',
    'This link leads to nothing that can be answered. Check that it is complete.',
  );
}

/** The address of the page for a token, and where answers are posted. `publicUrl` is the configuration's. */
export function answerUrl(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/v1/answers/${token}`;
}

function toGrant({ run, exe, req, ten, by, rol, dec }: JWTPayload): AnswerGrant {
  if (typeof run !== 'string' || typeof exe !== 'string' || typeof req !== 'string') throw unknownToken();
  return {
    runId: run,
    firstExecutionId: exe,
    requestId: req,
    ...(typeof ten === 'string' && { tenant: ten }),
    ...(typeof by === 'string' && { by }),
    ...(Array.isArray(rol) && { roles: rol.map(String) }),
    ...(Array.isArray(dec) && { decisions: DECISIONS.filter((decision) => dec.includes(decision)) }),
  };
}
