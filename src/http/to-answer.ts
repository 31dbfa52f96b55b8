import type { Answer } from '../agent/answer';
import type { JsonObject } from '../agent/json';
import type { HoldpointClient } from '../client';
import type { Identity } from './identity';

/** What a sender says. Who they are is not theirs to say. */
export interface AnswerBody {
  readonly id: string;
  readonly ok: boolean;
  readonly data?: JsonObject | undefined;
  readonly reason?: string | undefined;
  readonly answerId?: string | undefined;
}

/** From where an answer came, for the audit. */
export type HttpChannel = 'api' | 'link' | 'webhook' | 'inbox';

/** Who answers, by which client, and from where. */
export interface Sender {
  readonly identity: Identity;
  readonly client: HoldpointClient;
  readonly channel: HttpChannel;
}

/** The answer that the run gets: what the body says, and who says it by their credential. */
export function toAnswer(body: AnswerBody, { identity, channel }: Sender): Answer {
  const { id, ok, data, reason, answerId } = body;
  return {
    id,
    ok,
    ...(data !== undefined && { data }),
    ...(reason !== undefined && { reason }),
    ...(answerId !== undefined && { answerId }),
    by: identity.subject,
    roles: identity.roles,
    channel,
  };
}
