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
