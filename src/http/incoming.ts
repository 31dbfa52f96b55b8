import { Webhook } from 'standardwebhooks';
import type { IncomingWebhook } from '../config/config';
import { unauthenticated, type Identity } from './identity';

/** A message that a configured machine signed. */
export interface SignedMessage {
  readonly identity: Identity;
  /** The same for each copy of the message, so that the run itself recognises a replay. */
  readonly answerId: string;
}

/** Whether the headers of Standard Webhooks are there at all. */
export function isSigned(headers: Headers): boolean {
  return headers.has('webhook-signature');
}

/**
 * Checks a signature against the secrets of every configured sender: whose fits has sent it. Throws
 * `Holdpoint.Http.Unauthenticated`, also for a message that is older than five minutes.
 */
export function verifyIncoming(
  senders: readonly IncomingWebhook[],
  headers: Headers,
  body: string,
): SignedMessage {
  const id = headers.get('webhook-id') ?? '';
  const signed = {
    'webhook-id': id,
    'webhook-timestamp': headers.get('webhook-timestamp') ?? '',
    'webhook-signature': headers.get('webhook-signature') ?? '',
  };
  for (const sender of senders)
    if (id !== '' && id.length <= MAX_ID && sender.secrets.some((secret) => fits(secret, body, signed)))
      return { identity: identityOf(sender), answerId: `webhook:${sender.id}:${id}` };
  throw unauthenticated(
    'The webhook signature is not valid: no sender’s secret fits, or the message is too old.',
    { error: 'invalid_token' },
  );
}

const MAX_ID = 256;

function fits(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
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
