import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const SECRET_PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** The headers of one attempt, after Standard Webhooks. */
export interface SignedHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/**
 * The same in every attempt to tell one endpoint of one event, so that it can recognise a repeat. A digest: what
 * is signed is divided by full stops, so neither a run's id nor an endpoint's may bring its own.
 */
export function webhookIdOf(eventId: string, endpointId: string): string {
  return `msg_${createHash('sha256').update(`${endpointId}\n${eventId}`).digest('hex').slice(0, 40)}`;
}

/** Signs a body with each of an endpoint's secrets. `at` is the instant of the attempt. */
export function signedHeaders(
  webhookId: string,
  body: string,
  secrets: readonly string[],
  at: Date,
): SignedHeaders {
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => signature(webhookId, body, secret, at)).join(' '),
  };
}

/** From the bytes: the package's own reading of a secret throws on what lacks padding. */
function signature(webhookId: string, body: string, secret: string, at: Date): string {
  return new Webhook(new Uint8Array(bytesOf(secret)), { format: 'raw' }).sign(webhookId, at, body);
}

function bytesOf(secret: string): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
}

/** Says what is wrong with an endpoint's secrets, without showing one; `undefined` when nothing is. */
export function secretsProblem(secrets: unknown): string | undefined {
  if (!Array.isArray(secrets) || secrets.length === 0)
    return 'expected `secrets` to hold at least one secret.';
  return (secrets as readonly unknown[]).map(secretProblem).find((problem) => problem !== undefined);
}

function secretProblem(secret: unknown): string | undefined {
  const form = `expected each of \`secrets\` to be ${SECRET_PREFIX} and base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} random bytes.`;
  if (typeof secret !== 'string' || !secret.startsWith(SECRET_PREFIX)) return form;
  const encoded = secret.slice(SECRET_PREFIX.length);
  if (!BASE64.test(encoded)) return form;
  const bytes = bytesOf(secret).length;
  return bytes < MIN_SECRET_BYTES || bytes > MAX_SECRET_BYTES ? form : undefined;
}
