import type { Json } from '../agent/json';

/**
 * The id of a request, as the client sent it: `"1"` and `1` are different ids. It is not authenticated, may
 * repeat across clients, and does not tell a retry: `idempotencyKey` does.
 */
export type RequestId = string | number;

/** The client's name and version, as it declared them. Not authenticated. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** One invocation, as a handler bound with `handleCall` sees it. */
export interface Call<Context = unknown> {
  /** What the server built for this request; in a durable run the context of the run's tools. */
  readonly context: Context;
  /** The responses to the round before, by request key. Empty on the first round. */
  readonly inputResponses: Readonly<Record<string, Json>>;
  /** Unique among the invocations of this process. A retried request is a new invocation. */
  readonly invocationId: number;
  /** The JSON-RPC id of the request; in a durable run the model's id for the call. */
  readonly requestId: RequestId;
  /**
   * 1 to 128 bytes of visible ASCII: the client's promise that a request with the same key is the same
   * request. In a durable run the key of the call (R9). Not authenticated: use it together with who asks.
   */
  readonly idempotencyKey: string | undefined;
  readonly clientInfo: ClientInfo | undefined;
  /** Joins logs of several systems. It comes from the client: never authorise by it. */
  readonly correlation: string;
  /**
   * Aborts once: the client went away or cancelled, the time was over, or the server shuts down. The handler
   * then has a grace period to return; what it returns after that is not used.
   */
  readonly signal: AbortSignal;
  /**
   * Tells the client how far the call is, if it asked. Dropped when `progress` is negative, not finite or not
   * greater than the last one, and after the call. Never throws.
   */
  readonly reportProgress: (progress: number, total?: number, message?: string) => void;
}
