import type { Answer } from '../agent/answer';
import { quote, refusal } from '../agent/refusal';
import { judgeAgainstReceipts } from '../agent/answers';
import { judgeClosed, runClosed } from '../agent/closed-request';
import type { HoldpointError } from '../agent/errors';
import type { Receipt } from '../agent/receipt';
import { parseInstant } from '../agent/instant';
import type { AcceptedAnswer, RunSnapshot } from '../agent/wire';
import type { PreparedAnswer } from './prepared-answer';

/** What a run's own record already says of an answer. */
export type SnapshotVerdict =
  | { readonly is: 'repeat'; readonly receipt: Receipt }
  | { readonly is: 'refused'; readonly error: HoldpointError }
  /** Only the run can tell. */
  | { readonly is: 'open' };

/**
 * Judges an answer in R29's order without sending it: what the record refuses is not sent, and a repeat gets
 * its first receipt, also after the run has closed. After a deadline nothing new is sent (R31).
 */
export function judgeBySnapshot(
  snapshot: RunSnapshot,
  { given, answer }: PreparedAnswer,
  now: number,
  workflow: 'open' | 'closed' = 'open',
): SnapshotVerdict {
  const { runId, receipts, requests, status } = snapshot;
  const open = requests.find(({ request }) => request.id === answer.id)?.request;
  const known = judgeAgainstReceipts(given, receipts, open !== undefined);
  if (known?.is === 'repeat') return known;
  if (known?.is === 'refuse') return { is: 'refused', error: known.error };
  const ended = workflow === 'closed' || (status !== 'running' && status !== 'pending');
  const run = { runId, ...(ended && { endedAs: status }) };
  if (!open) {
    const { error, early } = judgeClosed(run, answer, receipts);
    // While the run works, the request may still open.
    return early && status === 'running' ? { is: 'open' } : { is: 'refused', error };
  }
  if (ended) return { is: 'refused', error: runClosed(run, answer) };
  if (isOver(open.expiresAt, now)) return { is: 'refused', error: expiredUnsent(answer) };
  return { is: 'open' };
}

/** How often the same was accepted as a vote, which an edit made void. */
export function timesVoided({ receipts }: Pick<RunSnapshot, 'receipts'>, sent: PreparedAnswer): number {
  return receipts.filter((record) => isReceiptOf(record, sent) && record.receipt.voided).length;
}

export function isReceiptOf(
  { receipt, fingerprint }: AcceptedAnswer,
  { answer, ...sent }: PreparedAnswer,
): boolean {
  return receipt.answerId === answer.answerId && fingerprint === sent.fingerprint;
}

/** By this machine's clock; the run has not said so. */
export function expiredUnsent(answer: Answer): HoldpointError {
  return refusal(
    'Holdpoint.Answer.Expired',
    answer,
    `Request ${quote(answer.id)} has expired and counts as declined. Nothing was sent.`,
  );
}

/** Whether a deadline has come, by this machine's clock. */
export function isOver(expiresAt: string | undefined, now: number): boolean {
  const deadline = expiresAt === undefined ? undefined : parseInstant(expiresAt);
  return deadline !== undefined && now >= deadline;
}
