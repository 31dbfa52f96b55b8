import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingWebhook } from '../config/config';
import { unauthenticated, type Identity } from './identity';

/** A message that a configured machine signed. */
export interface SignedMessage {
  readonly identity: Identity;
  /** The same for each copy of the message, so that the run itself recognises a replay. */
  readonly answerId: string;
}

/** The headers of Standard Webhooks, well formed and of now. Nothing is proven by them yet. */
export interface SignatureHeaders {
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: readonly Buffer[];
}

const MAX_ID = 256;
/** One for each secret of a sender while it replaces one. */
const MAX_SIGNATURES = 16;
const TOLERANCE_S = 5 * 60;
const SHA256_BYTES = 32;

/** Whether the headers of Standard Webhooks are there at all. */
export function isSigned(headers: Headers): boolean {
  return headers.has('webhook-signature');
}

/**
 * What can be refused before the body is read. Throws `Holdpoint.Http.Unauthenticated`, also for a message that is
 * more than five minutes old, or so much ahead.
 */
export function readSignature(headers: Headers, now = Date.now()): SignatureHeaders {
  const id = headers.get('webhook-id') ?? '';
  const timestamp = headers.get('webhook-timestamp') ?? '';
  const signatures = (headers.get('webhook-signature') ?? '')
    .split(' ')
    .slice(0, MAX_SIGNATURES)
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
    .filter(({ length }) => length === SHA256_BYTES);
  const isNow = /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_S;
  if (id === '' || id.length > MAX_ID || !isNow || signatures.length === 0) throw notSigned();
  return { id, timestamp, signatures };
}

/**
 * Checks a signature against the secrets of every configured sender: whose fits has sent it. Throws
 * `Holdpoint.Http.Unauthenticated`.
 */
export function verifyIncoming(
  senders: readonly IncomingWebhook[],
  { id, timestamp, signatures }: SignatureHeaders,
  body: string,
): SignedMessage {
  for (const sender of senders)
    for (const secret of sender.secrets) {
      // Node's own: the standard's package computes it in JavaScript, five to twenty times slower.
      const expected = createHmac('sha256', bytesOf(secret))
        .update(`${id}.${timestamp}.`)
        .update(body)
        .digest();
      if (signatures.some((signature) => timingSafeEqual(signature, expected)))
        return { identity: identityOf(sender), answerId: `webhook:${sender.id}:${id}` };
    }
  throw notSigned();
}

function notSigned(): Error {
  return unauthenticated(
    'The webhook signature is not valid: no sender’s secret fits, or the message is too old.',
    { error: 'invalid_token' },
  );
}

function bytesOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

function identityOf({ id, by, roles, tenant }: IncomingWebhook): Identity {
  return {
    subject: `webhook:${by}`,
    roles,
    scopes: ['requests:answer'],
    ...(tenant !== undefined && { tenant }),
    via: 'webhook',
    account: `webhook ${id}`,
  };
}
