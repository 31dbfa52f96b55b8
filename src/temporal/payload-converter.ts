import {
  DefaultPayloadConverter,
  METADATA_ENCODING_KEY,
  type Payload,
  type PayloadConverter,
  type SerializationContext,
} from '@temporalio/common';
import { decode, encode } from '@temporalio/common/lib/encoding';
import type { ErrorType } from '../agent/errors';
import { isReply } from '../agent/reply-mark';
import { undecodable } from '../agent/undecodable';
import { nestsDeeperThan } from './nesting';

/** In the metadata of a payload that answers a query: a codec that keeps payloads elsewhere leaves it where it is. */
export const REPLY_KEY = 'holdpoint-reply';

/** Deepest nesting of arrays and objects that a message to a workflow may have. */
const MAX_NESTING = 500;

/**
 * The SDK takes the name of its class for the type of an activity's failure, so that a run can tell that its call has not
 * begun (R33). An `ApplicationFailure` would say so, too, and end a run that cannot read a result.
 */
class UnreadError extends Error {
  static override readonly name: ErrorType = 'Holdpoint.Data.Unreadable';
}

/**
 * The converter of worker, workflow and client. It differs from Temporal's own in one thing: where that one
 * throws on a payload, which fails every workflow task of the run from then on, this one gives a marked
 * object (design, "No message can wedge a run").
 *
 * What an activity takes and returns comes from our own worker, so there a payload that cannot be read is a
 * fault to show, not a sender's mistake to absorb: it throws, and a marked result never passes for a real
 * one. Reasons are fixed texts: a parser's own message would quote the payload (R11), and would differ
 * between versions of Node, which would break replay.
 */
class TotalPayloadConverter implements PayloadConverter {
  private readonly converter = new DefaultPayloadConverter();

  toPayload<T>(value: T, context?: SerializationContext): Payload {
    const payload = this.converter.toPayload(value, context);
    return isReply(value)
      ? { ...payload, metadata: { ...payload.metadata, [REPLY_KEY]: encode('') } }
      : payload;
  }

  fromPayload<T>(payload: Payload, context?: SerializationContext): T {
    const encoding = encodingOf(payload);
    const inActivity = context?.type === 'activity';
    try {
      if (
        !inActivity &&
        encoding === 'json/plain' &&
        payload.data &&
        nestsDeeperThan(payload.data, MAX_NESTING)
      )
        return undecodable(encoding, `It nests deeper than ${MAX_NESTING} levels.`) as T;
      return this.converter.fromPayload<T>(payload, context);
    } catch {
      const known = this.converter.converterByEncoding.has(encoding);
      const reason = known ? `Its data is not ${encoding}.` : 'Its encoding is not known here.';
      if (inActivity) throw new UnreadError(reason);
      return undecodable(encoding, reason) as T;
    }
  }
}

/** The encoding that a payload names; "" when it names none that can be read. */
export function encodingOf(payload: Payload): string {
  try {
    const name = payload.metadata?.[METADATA_ENCODING_KEY];
    return name ? decode(name) : '';
  } catch {
    return '';
  }
}

/** Found by this name through `payloadConverterPath`. */
export const payloadConverter: PayloadConverter = new TotalPayloadConverter();
