import { createHash } from 'node:crypto';
import { answerFingerprint, parseAnswer, type Answer } from '../agent/answer';
import { HoldpointError } from '../agent/errors';
import { toPlainJson } from './plain-json';

/** An answer as it is sent, checked before anything is sent. */
export interface PreparedAnswer {
  /** As the caller gave it: without an `answerId` it is a repeat of any answer that says the same (R29). */
  readonly given: Answer;
  /** The same under an id of its own, derived from what it says: sent again it is a repeat. */
  readonly answer: Answer & { readonly answerId: string };
  readonly fingerprint: string;
  /** The id of the update that carries it: the same answer twice is one update. */
  readonly updateId: string;
}

/** Throws `Holdpoint.Answer.Malformed` or `Holdpoint.Answer.TooLarge`; no value of `data` is in the message (R11). */
export function prepareAnswer(value: unknown): PreparedAnswer {
  const parsed = parseAnswer(toPlainJson(value, 'answer', 'Holdpoint.Answer.Malformed'));
  if (!parsed.ok)
    throw new HoldpointError(
      parsed.tooLarge ? 'Holdpoint.Answer.TooLarge' : 'Holdpoint.Answer.Malformed',
      `${parsed.problem} Nothing was sent.`,
    );
  const given = parsed.answer;
  const fingerprint = answerFingerprint(given);
  const answerId = given.answerId ?? `answer_${fingerprint}`;
  const idDigest = createHash('sha256').update(answerId).digest('hex').slice(0, 32);
  return {
    given,
    answer: { ...given, answerId },
    fingerprint,
    updateId: `answer_${idDigest}_${fingerprint}`,
  };
}
