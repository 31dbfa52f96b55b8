import type { RunSnapshot } from '../agent/wire';
import { expiredUnsent, isOver, judgeBySnapshot, type SnapshotVerdict } from './answer-verdict';
import type { ClientContext } from './client-context';
import type { Target } from './ids';
import type { PreparedAnswer } from './prepared-answer';
import { describeRun } from './run-description';
import { queryState, shareQueryState } from './snapshot';
import type { WaitLimit } from './wait-limit';

/** An open run gets the answer whether or not it could be asked before. */
const BRIEF_MS = 5_000;

/** What is known of an answer before it is sent. */
export interface Outlook {
  readonly verdict: SnapshotVerdict;
  readonly snapshot?: RunSnapshot;
}

/**
 * Asks the run for its record before an answer is sent. When no worker answers, an open run's deadline is
 * known from its memo, and a closed run is asked for as long as the call may take: nothing can be sent there.
 */
export async function lookAhead(
  context: ClientContext,
  target: Target,
  answer: PreparedAnswer,
  limit: WaitLimit,
): Promise<Outlook> {
  const snapshot = await shareQueryState(context, target, limit, BRIEF_MS);
  if (snapshot) return { snapshot, verdict: judgeBySnapshot(snapshot, answer, Date.now()) };
  const { open, memo } = await describeRun(context, target.workflowId, limit);
  if (!open) return judgeClosed(context, target, answer, limit);
  const request = memo?.requests.find(({ id }) => id === answer.answer.id);
  if (isOver(request?.expiresAt, Date.now()))
    return { verdict: { is: 'refused', error: expiredUnsent(answer.answer) } };
  return { verdict: { is: 'open' } };
}

/** What a run that is closed says of an answer: never `open`. */
export async function judgeClosed(
  context: ClientContext,
  target: Target,
  answer: PreparedAnswer,
  limit: WaitLimit,
): Promise<Outlook> {
  const snapshot = await queryState(context, target, limit);
  return { snapshot, verdict: judgeBySnapshot(snapshot, answer, Date.now(), 'closed') };
}
