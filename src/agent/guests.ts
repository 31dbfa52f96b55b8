/**
 * Requests of sub-agents. Each sub-agent is a run of its own; what it waits on surfaces on the run that called it,
 * and so on up to the outermost one, which alone takes answers and keeps the deadlines.
 *
 * 1. A report is the whole list of what the sub-agent waits on, so the last one counts, whatever came of the others.
 * 2. An answer that the outermost run accepts is forwarded as it is, once, and is accepted below by the same rules.
 */
import type { Answer } from './answer';
import { isRecord, jsonSize } from './json';
import { hasRoom, isFreeId, MAX_OPEN_BYTES } from './open-request';
import { requestProblem, type Request } from './request';
import { noRoomText } from './result-text';
import { without } from './without';
import type { CallState, DelegatedPhase, OpenRequest, RunState, WaitPurpose } from './run-state';

/** What a sub-agent tells the run that called it, each time that something of it changes. */
export interface ChildReport {
  /** The sub-agent's run id. */
  readonly childId: string;
  /** Grows from report to report. */
  readonly seq: number;
  /** It waits for answers alone. */
  readonly halted: boolean;
  readonly requests: readonly ReportedRequest[];
}

export interface ReportedRequest {
  readonly request: Request;
  readonly purpose: WaitPurpose;
  /** The calls that wait on it, with what their answers are checked against. */
  readonly calls: readonly CallState[];
}

/** The report of a sub-agent's run. */
export function reportOf(run: RunState, seq: number, halted: boolean): ChildReport {
  return {
    childId: run.runId,
    seq,
    halted,
    requests: run.requests.map((open) => ({
      request: { ...open.request, path: [run.agent, ...(open.guest ? (open.request.path ?? []) : [])] },
      purpose: open.purpose,
      calls: (open.guest?.calls ?? run.calls).filter(
        ({ phase }) => phase.is === 'waiting' && phase.requestId === open.request.id,
      ),
    })),
  };
}

/** Takes a report in. Gives the requests that it opened; anything but a report of a sub-agent at work changes nothing. */
export function takeReport(run: RunState, raw: unknown, now: number): OpenRequest[] {
  if (!isReport(raw)) return [];
  const call = run.calls.find(({ phase }) => phase.is === 'delegated' && phase.childId === raw.childId);
  const phase = call?.phase;
  if (!call || phase?.is !== 'delegated' || raw.seq <= phase.seq) return [];
  const known = [...phase.known];
  run.requests = run.requests.filter(
    ({ guest }) =>
      guest?.childId !== raw.childId || raw.requests.some(({ request }) => request.id === guest.requestId),
  );
  const opened: OpenRequest[] = [];
  for (const reported of raw.requests) {
    if (known.includes(reported.request.id)) continue;
    known.push(reported.request.id);
    opened.push(...openGuest(run, call, raw.childId, reported, now));
  }
  call.phase = { ...phase, seq: raw.seq, halted: raw.halted, known };
  return opened;
}

function openGuest(
  run: RunState,
  call: CallState,
  childId: string,
  { request, purpose, calls }: ReportedRequest,
  now: number,
): OpenRequest[] {
  const bytes = jsonSize({ request, calls });
  if (!hasRoom(run, bytes)) {
    // It must not wait for ever on what nobody is shown.
    const reason = noRoomText(call.name, MAX_OPEN_BYTES);
    run.forwards = [...(run.forwards ?? []), { childId, answer: { id: request.id, ok: false, reason } }];
    return [];
  }
  const id = isFreeId(run, request.id) ? request.id : `${request.id}_${run.turn}_${call.index}`;
  run.usedIds.push(id);
  const open: OpenRequest = {
    request: { ...request, id },
    calls: calls.map((_, at) => at),
    purpose,
    openedAt: now,
    bytes,
    guest: {
      childId,
      callIndex: call.index,
      requestId: request.id,
      calls: calls.map((one) => ({ ...one, phase: { is: 'waiting', requestId: id, purpose } })),
    },
  };
  run.requests.push(open);
  return [open];
}

/** An accepted answer on its way down. What several people agreed on, and edited, goes as one answer. */
export function forwardAnswer(run: RunState, open: OpenRequest, answer: Answer): void {
  const { guest } = open;
  if (!guest) return;
  const edited = guest.calls.find((call) => call.edited)?.edited;
  const data = without(answer.data ?? {}, 'digest');
  const forwarded: Answer = {
    ...answer,
    id: guest.requestId,
    ...(answer.data && { data }),
    ...(answer.ok && edited && { data: { ...data, input: edited } }),
  };
  run.forwards = [...(run.forwards ?? []), { childId: guest.childId, answer: forwarded }];
  const call = run.calls[guest.callIndex];
  if (call?.phase.is === 'delegated') call.phase = { ...call.phase, halted: false };
}

/** The sub-agent's run has ended: what it was waiting on is nobody's any more. */
export function dropGuests(run: RunState, { childId }: DelegatedPhase): void {
  run.requests = run.requests.filter(({ guest }) => guest?.childId !== childId);
}

/** Anybody can send a signal; a report is believed only as far as it has the shape of one. */
function isReport(raw: unknown): raw is ChildReport {
  return (
    isRecord(raw) &&
    typeof raw['childId'] === 'string' &&
    typeof raw['seq'] === 'number' &&
    typeof raw['halted'] === 'boolean' &&
    Array.isArray(raw['requests']) &&
    raw['requests'].every(
      (entry) =>
        isRecord(entry) &&
        requestProblem(entry['request']) === undefined &&
        isRecord(entry['request']) &&
        typeof entry['request']['id'] === 'string' &&
        ['hold', 'relay', 'tool', 'reconcile'].includes(String(entry['purpose'])) &&
        Array.isArray(entry['calls']) &&
        entry['calls'].every(
          (call) => isRecord(call) && typeof call['id'] === 'string' && isRecord(call['route']),
        ),
    )
  );
}
