import type { Answer } from '../agent/answer';
import type { JsonObject } from '../agent/json';
import { MAX_APPROVER_LENGTH, MAX_APPROVERS } from '../agent/policy';
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
  /** Absent for a link that is nobody's in particular: where not everybody may answer, the run refuses it. */
  readonly by?: string;
  readonly roles: readonly string[];
  readonly client: HoldpointClient;
  readonly channel: HttpChannel;
}

/** Who answers with a credential. */
export function senderOf(
  { subject, roles }: Identity,
  client: HoldpointClient,
  channel: HttpChannel,
): Sender {
  return { by: subject, roles, client, channel };
}

/** The answer that the run gets: what the body says, and who says it by their credential. */
export function toAnswer(body: AnswerBody, { by, roles, channel }: Sender): Answer {
  const { id, ok, data, reason, answerId } = body;
  return {
    id,
    ok,
    ...(data !== undefined && { data }),
    ...(reason !== undefined && { reason }),
    ...(answerId !== undefined && { answerId }),
    ...(by !== undefined && { by }),
    roles: rolesToSend(roles),
    channel,
  };
}

/** Groups of a large organisation: no approver has so long a name, and no run takes so many. */
export function rolesToSend(roles: readonly string[]): string[] {
  return roles.filter((role) => role !== '' && role.length <= MAX_APPROVER_LENGTH).slice(0, MAX_APPROVERS);
}
