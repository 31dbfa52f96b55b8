import { judgeAgainstReceipts } from '../agent/answers';
import { HoldpointError, type ErrorType } from '../agent/errors';
import type { JsonObject } from '../agent/json';
import type { Receipt } from '../agent/receipt';
import { parseInstant } from '../agent/request';
import type { RunSnapshot } from '../agent/wire';
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
  const known = judgeAgainstReceipts(given, snapshot.receipts);
  if (known?.is === 'repeat') return known;
  if (known?.is === 'refuse') return { is: 'refused', error: known.error };
  const { runId, receipts, requests, status } = snapshot;
  const open = requests.find(({ request }) => request.id === answer.id)?.request;
  const final = receipts.findLast(({ receipt }) => receipt.requestId === answer.id && receipt.resolved);
  const via = final?.receipt.via;
  if (!open && final && via !== 'expiry' && via !== 'cancel')
    return refused(
      'Holdpoint.Answer.AlreadyAnswered',
      `Request "${answer.id}" was answered at ${final.receipt.at}. The first answer stands.`,
      { requestId: answer.id, runId, receipt: { ...final.receipt } },
    );
  const ended = workflow === 'closed' || (status !== 'running' && status !== 'pending');
  if (ended || via === 'cancel') return { is: 'refused', error: runClosed(runId, answer.id) };
  if (via === 'expiry' || isOver(open?.expiresAt, now))
    return { is: 'refused', error: expiredUnsent(answer.id) };
  if (!open && status === 'pending')
    return refused(
      'Holdpoint.Answer.UnknownRequest',
      `Run "${runId}" waits on no request "${answer.id}". Look its open requests up with \`get\`.`,
      { requestId: answer.id, runId },
    );
  return { is: 'open' };
}

export function runClosed(runId: string, requestId: string): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Answer.RunClosed',
    `Run "${runId}" takes no answers any more: it has ended. Read how with \`get\`.`,
    { runId, requestId },
  );
}

export function expiredUnsent(requestId: string): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Answer.Expired',
    `Request "${requestId}" has expired and counts as declined. Nothing was sent.`,
    { requestId },
  );
}

/** Whether a deadline has come, by this machine's clock. */
export function isOver(expiresAt: string | undefined, now: number): boolean {
  const deadline = expiresAt === undefined ? undefined : parseInstant(expiresAt);
  return deadline !== undefined && now >= deadline;
}

function refused(type: ErrorType, message: string, data: JsonObject): SnapshotVerdict {
  return { is: 'refused', error: new HoldpointError(type, message, data) };
}
