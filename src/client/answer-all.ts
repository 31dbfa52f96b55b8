import type { Answer } from '../agent/answer';
import { HoldpointError } from '../agent/errors';
import type { Receipt } from '../agent/receipt';
import type { ClientContext } from './client-context';
import type { RunTarget } from './ids';
import { mapLimited } from './map-limited';
import { prepareAnswer } from './prepared-answer';
import { sendByUpdate } from './send-answer';
import type { WaitLimit } from './wait-limit';

/** What became of one answer of several. */
export type AnswerOutcome =
  { readonly ok: true; readonly receipt: Receipt } | { readonly ok: false; readonly error: HoldpointError };

/** The server takes ten updates of a run at a time; others want to answer it, too. */
const AT_ONCE = 5;

/** Sends answers to several requests of one run. Each is accepted or refused by itself. */
export async function answerAll(
  context: ClientContext,
  target: RunTarget,
  answers: readonly Answer[],
  limit: WaitLimit,
): Promise<AnswerOutcome[]> {
  if (!Array.isArray(answers))
    throw new HoldpointError(
      'Holdpoint.Client.InvalidOptions',
      'Expected `answers` to be an array of answers.',
    );
  // One that is malformed keeps all from being sent: nothing is half done by a mistake of the caller.
  const prepared = answers.map(prepareAnswer);
  return mapLimited(prepared, AT_ONCE, async (one): Promise<AnswerOutcome> => {
    try {
      return { ok: true, receipt: await sendByUpdate(context, target, one, limit) };
    } catch (error) {
      if (error instanceof HoldpointError && error.type.startsWith('Holdpoint.Answer.'))
        return { ok: false, error };
      throw error;
    }
  });
}
