/** What becomes of an answer whose request is not open: the run and its clients say the same (R29, R30). */
import type { Answer } from './answer';
import { quote, refusal } from './refusal';
import type { HoldpointError } from './errors';
import type { ParentRef, ReceiptRecord } from './run-state';

/** Whose request it is; `endedAs` once the run, or the workflow that it lives in, has ended. */
export interface AnsweredRun {
  readonly runId: string;
  readonly endedAs?: string;
}

export interface ClosedVerdict {
  readonly error: HoldpointError;
  /** The request may still open (R30). */
  readonly early?: true;
}

/** The checks that follow on those against the receipts, in R29's order. */
export function judgeClosed(
  run: AnsweredRun,
  answer: Answer,
  records: readonly ReceiptRecord[],
): ClosedVerdict {
  const final = records.findLast(
    ({ receipt }) => receipt.requestId === answer.id && receipt.resolved,
  )?.receipt;
  const via = final?.via;
  if (final && via !== 'expiry' && via !== 'cancel') {
    const by = final.by === undefined ? '' : ` by ${quote(final.by)}`;
    return {
      error: refusal(
        'Holdpoint.Answer.AlreadyAnswered',
        answer,
        `Request ${quote(answer.id)} was answered${by} at ${final.at}. The first answer stands.`,
        { receipt: { ...final } },
      ),
    };
  }
  if (run.endedAs !== undefined || via === 'cancel') return { error: runClosed(run, answer) };
  if (final) return { error: expired(answer) };
  return {
    error: refusal(
      'Holdpoint.Answer.UnknownRequest',
      answer,
      `Run ${quote(run.runId)} has no request ${quote(answer.id)}. Look the open ones up with \`get\`.`,
      { runId: run.runId },
    ),
    early: true,
  };
}

export function runClosed({ runId, endedAs }: AnsweredRun, answer: Answer): HoldpointError {
  // Ended from outside, a run's own record does not know of it.
  const known = endedAs !== undefined && endedAs !== 'running' && endedAs !== 'pending';
  return refusal(
    'Holdpoint.Answer.RunClosed',
    answer,
    `Run ${quote(runId)} takes no answers any more: it ${known ? `ended as ${endedAs}` : 'has ended'}. Read what became of it with \`get\`.`,
    { runId },
  );
}

export function expired(answer: Answer): HoldpointError {
  return refusal(
    'Holdpoint.Answer.Expired',
    answer,
    `Request ${quote(answer.id)} has expired and counts as declined.`,
  );
}

/** A sub-agent's requests are answered where they surface: two runs that both took answers might take different ones. */
export function notHere({ runId, path }: ParentRef, answer: Answer): HoldpointError {
  return refusal(
    'Holdpoint.Answer.UnknownRequest',
    answer,
    `Request ${quote(answer.id)} is a sub-agent's. Answer it at run ${quote(runId)}${path.length > 1 ? ', or at the run that called that one' : ''}, where it is open, too.`,
    { runId },
  );
}
