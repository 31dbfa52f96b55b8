import type { WebhookRequest, WebhookRun } from '../agent/webhook-event';
import type { WebhookEndpoint } from '../config/config';
import type { ResolveHost } from './address-guard';

/** Outgoing webhooks of a worker. */
export interface WebhookOptions {
  /**
   * Who is told of events. As a function it is asked each time, so that a configuration may change while the worker
   * runs.
   */
  readonly endpoints: readonly WebhookEndpoint[] | (() => readonly WebhookEndpoint[]);
  /**
   * `host:port` patterns that may be called though they are private or not https, for development: `127.0.0.1:8080`,
   * `localhost:*`, `*.test:443`. Default: none.
   */
  readonly allow?: readonly string[];
  /** Gives the URL at which one request can be answered. Default: events hold none. */
  readonly callback?: WebhookCallback;
}

/**
 * Gives the URL at which one request can be answered, or `undefined` for none. It is asked again for each attempt, on whatever worker makes
 * it, and should give the same URL each time: sign with `about.at` for the time of issue, and the body of a repeat is
 * the same to the last byte. `undefined` leaves it out, for a request that no such URL can answer.
 */
export type WebhookCallback = (
  request: WebhookRequest,
  about: {
    readonly run: WebhookRun;
    /** When the event happened: an ISO instant. */
    readonly at: string;
  },
) => string | undefined | Promise<string | undefined>;

/** The same as the activities work with it. */
export interface Webhooks extends Pick<WebhookOptions, 'callback'> {
  /** As configured now; the worker checks lists that come from a function only here. */
  readonly endpoints: () => readonly WebhookEndpoint[];
  readonly allow: readonly string[];
  /** Default: the system's resolver. */
  readonly resolve?: ResolveHost;
}

export function toWebhooks({ endpoints, allow = [], callback }: WebhookOptions): Webhooks {
  return {
    endpoints: typeof endpoints === 'function' ? endpoints : () => endpoints,
    allow,
    ...(callback && { callback }),
  };
}
