import { HoldpointError } from '../agent/errors';
import type { Receipt } from '../agent/receipt';
import type { AnswerTarget } from '../client';
import type { Services } from './services';
import { toAnswer, type AnswerBody, type Sender } from './to-answer';

/** Sends an answer and gives its receipt once the run has accepted it; throws the run's refusal. */
export async function sendAnswer(
  { metrics, callMs }: Services,
  from: Sender,
  whose: AnswerTarget,
  body: AnswerBody,
): Promise<Receipt> {
  const { client, channel } = from;
  try {
    const receipt = await client.answer(whose, toAnswer(body, from), { waitMs: callMs });
    metrics.answer(channel, 'accepted');
    return receipt;
  } catch (error) {
    metrics.answer(channel, error instanceof HoldpointError ? error.type : 'failed');
    throw error;
  }
}

const NOTE_MS = 2_000;

/** Puts a refused attempt on the run's record. The refusal stands whether or not that works. */
export async function noteRefusal(
  { by, channel, client }: Sender,
  whose: AnswerTarget,
  { id, answerId }: Pick<AnswerBody, 'id' | 'answerId'>,
  { type, message }: HoldpointError,
): Promise<void> {
  const note = {
    requestId: id,
    channel,
    error: { type, message },
    ...(answerId !== undefined && { answerId }),
    ...(by !== undefined && { by }),
  };
  await client.noteRefusal(whose, note, { waitMs: NOTE_MS }).catch(() => undefined);
}
