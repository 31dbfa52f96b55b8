import { pinned, resolveTarget, type ResolveHost } from './address-guard';
import type { WebhookEndpoint } from './endpoint';
import { post } from './post';
import { signedHeaders } from './sign';

const TIMEOUT_MS = 10_000;

/** What one attempt came to. Reasons hold neither the URL, which may be a secret itself, nor what was sent. */
export type DeliveryOutcome =
  | { readonly is: 'delivered'; readonly status: number }
  /** `retryAfter` is the response's header, as it came. */
  | { readonly is: 'retry'; readonly reason: string; readonly retryAfter?: string }
  | { readonly is: 'drop'; readonly reason: string };

export interface DeliveryOptions {
  readonly allow?: readonly string[];
  /** Default: the system's resolver. */
  readonly resolve?: ResolveHost;
  /** For name, connection and response together. Default 10 seconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * One attempt to tell an endpoint of an event. Any 2xx is success; 410 and a refused address end the matter;
 * everything else, redirects among it, may go better later. Rejects only when `signal` aborts, with its reason.
 */
export async function deliver(
  endpoint: Pick<WebhookEndpoint, 'url' | 'secrets'>,
  event: { readonly webhookId: string; readonly body: string },
  { allow, resolve, timeoutMs = TIMEOUT_MS, signal }: DeliveryOptions = {},
): Promise<DeliveryOutcome> {
  const time = new AbortController();
  const stop = (): void => time.abort();
  const timer = setTimeout(stop, timeoutMs);
  signal?.addEventListener('abort', stop);
  try {
    signal?.throwIfAborted();
    const target = await beforeAbort(
      resolveTarget(endpoint.url, { ...(allow && { allow }), ...(resolve && { resolve }) }),
      time.signal,
    );
    if (target.is === 'refused') return { is: 'drop', reason: `refused to call it: ${target.why}` };
    const { webhookId, body } = event;
    const { status, retryAfter } = await post(target.url, {
      headers: {
        'content-type': 'application/json',
        'user-agent': 'holdpoint',
        ...signedHeaders(webhookId, body, endpoint.secrets, new Date()),
      },
      body,
      lookup: pinned(target.addresses),
      signal: time.signal,
    });
    return toOutcome(status, retryAfter);
  } catch (error) {
    signal?.throwIfAborted();
    return {
      is: 'retry',
      reason: time.signal.aborted ? `no response within ${timeoutMs} ms` : codeOf(error),
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function toOutcome(status: number, retryAfter: string | undefined): DeliveryOutcome {
  if (status >= 200 && status < 300) return { is: 'delivered', status };
  if (status === 410) return { is: 'drop', reason: 'it answered 410: it wants no more events' };
  const reason =
    status >= 300 && status < 400
      ? `it answered ${status}; redirects are not followed`
      : `it answered ${status}`;
  return { is: 'retry', reason, ...(retryAfter !== undefined && { retryAfter }) };
}

/** A name is looked up by the system, which cannot be told to stop. */
function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    work.then(resolve, reject);
  });
}

/** The kind of a failed connection. Its message would hold the host, or a certificate's names. */
function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed';
}
