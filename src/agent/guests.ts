/**
 * Requests of sub-agents. Each sub-agent is a run of its own; what it waits on surfaces on the run that called it,
 * and so on up to the outermost one, which alone takes answers and keeps the deadlines.
 *
 * 1. A sub-agent sends a report when the one before has arrived. The first of an execution has the whole list of what
 *    it waits on, the others what has changed since.
 * 2. An answer that the outermost run accepts is forwarded as it is, once, and is accepted below by the same rules.
 */
import { MAX_ID_LENGTH, type Answer } from './answer';
import {
  readReport,
  toCallState,
  waitingCalls,
  type ChildReport,
  type ReportedRequest,
} from './child-report';
import { jsonSize } from './json';
import { hasRoom, isFreeId, MAX_OPEN_BYTES } from './open-request';
import { noRoomText } from './result-text';
import { without } from './without';
import type { CallState, DelegatedPhase, OpenRequest, RunState } from './run-state';

/** Takes a report in. Gives the requests that it opened; anything but a report of a sub-agent at work changes nothing. */
export function takeReport(run: RunState, raw: unknown, now: number): OpenRequest[] {
  const report = readReport(raw);
  if (!report) return [];
  const { childId, seq, requests, waiting } = report;
  const call = run.calls.find(({ phase }) => phase.is === 'delegated' && phase.childId === childId);
  const phase = call?.phase;
  if (!call || phase?.is !== 'delegated' || seq <= phase.seq) return [];
  const known = [...phase.known];
  const isOpen = stillOpen(report);
  run.requests = run.requests.filter(({ guest }) => guest?.childId !== childId || isOpen(guest.requestId));
  const opened: OpenRequest[] = [];
  for (const reported of requests) {
    if (known.includes(reported.request.id)) continue;
    known.push(reported.request.id);
    opened.push(...openGuest(run, call, childId, reported, now));
  }
  // An answer may be on its way to a sub-agent that did not have it when it reported: that one is about to go on.
  const below = waiting ?? requests.reduce((sum, { calls }) => sum + calls.length, 0);
  const here = run.requests.filter(({ guest }) => guest?.childId === childId);
  call.phase = { ...phase, seq, halted: report.halted && waitingCalls(run, here) === below, known };
  return opened;
}

/** Of what was reported before. */
function stillOpen({ requests, gone }: ChildReport): (id: string) => boolean {
  const ids = new Set(gone ?? requests.map(({ request }) => request.id));
  return (id) => ids.has(id) === (gone === undefined);
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
  const id = surfacedId(run, request.id, call);
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
      calls: calls.map((one, at) => toCallState(one, at, id, purpose)),
    },
  };
  run.requests.push(open);
  return [open];
}

/** The sub-agent's own id, unless a request of this run has had it. */
function surfacedId(run: RunState, wanted: string, { index }: CallState): string {
  const own = `${wanted.slice(0, MAX_ID_LENGTH - 32)}_${run.turn}_${index}`;
  let id = wanted;
  for (let n = 0; !isFreeId(run, id); n += 1) id = n === 0 ? own : `${own}_${n}`;
  return id;
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
