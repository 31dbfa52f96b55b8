import { parseAnswer } from '../agent/answer';
import { isRecord } from '../agent/json';
import { acceptAnswer, expireRequests } from '../agent/intake';
import { deadlineOf } from '../agent/open-request';
import type { ReceiptRecord, RunState } from '../agent/run-state';
import { toPlainJson } from './plain-json';
import type { ResolvedRequests } from './resolved-requests';

/**
 * Takes an answer into a run: the checks of R24 and R29, deadlines as the clock shows them (R31). False when
 * it was a repeat and nothing changed.
 *
 * @throws HoldpointError of one of the `Holdpoint.Answer` types; the run is then as it was
 */
export function takeAnswer(
  run: RunState,
  given: unknown,
  resolved: ResolvedRequests,
  earlier: readonly ReceiptRecord[] = [],
): boolean {
  const now = Date.now();
  const answer = toPlainJson(given, 'the answer', 'Holdpoint.Answer.Malformed');
  if (isRecord(answer) && typeof answer['id'] === 'string') resolved.refuseResolved(run, answer['id']);
  if (isOverdueDecline(run, answer, now)) {
    // Nobody watches the clock of a saved run: declining what has expired is how it learns of it.
    expireRequests(run, now);
  } else {
    const accepted = acceptAnswer(run, answer, { now, via: 'call', earlier });
    if (!accepted.ok) throw accepted.error;
    if (accepted.repeat) return false;
    expireRequests(run, now);
  }
  resolved.note(run);
  return true;
}

function isOverdueDecline(run: RunState, given: unknown, now: number): boolean {
  const parsed = parseAnswer(given);
  if (!parsed.ok || parsed.answer.ok) return false;
  const open = run.requests.find(({ request }) => request.id === parsed.answer.id);
  return open !== undefined && (deadlineOf(open) ?? Infinity) <= now;
}
