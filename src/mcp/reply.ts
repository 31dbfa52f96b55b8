import type { JsonObject } from '../agent/json';
import type { ContentBlock } from './content';
import type { InputRequests } from './input-request';

/** What a handler bound with `handleCall` returns. */
export type Reply<Output> = CompleteReply<Output> | InputReply;

/** The call is done. */
export interface CompleteReply<Output> {
  readonly kind: 'complete';
  readonly output: Output;
  /** In place of the blocks that are made from `output`. */
  readonly blocks?: readonly ContentBlock[];
  /** In place of the `_meta` of each block that is made from `output`. */
  readonly meta?: JsonObject;
}

/** The call pauses until each request has its response. */
export interface InputReply {
  readonly kind: 'input';
  readonly requests: InputRequests;
}

/**
 * A finished call. A structured result also gets a block of text that mirrors it, for clients that read only
 * blocks: a string as it is, anything else as compact JSON.
 */
export function complete<Output>(output: Output): CompleteReply<Output> {
  return { kind: 'complete', output };
}

/** A finished call with these blocks instead of the mirror. */
export function completeWithContent<Output>(
  output: Output,
  blocks: readonly ContentBlock[],
): CompleteReply<Output> {
  return { kind: 'complete', output, blocks };
}

/** A finished call whose blocks carry `meta` as their `_meta`. The result itself gets none. */
export function completeWithMeta<Output>(output: Output, meta: JsonObject): CompleteReply<Output> {
  return { kind: 'complete', output, meta };
}

/**
 * Pauses the call until the client has answered every request; it then calls again, and the handler reads
 * the responses under the same keys. Requests for methods that the client did not declare are left out.
 */
export function requestInput(requests: InputRequests): InputReply {
  return { kind: 'input', requests };
}
