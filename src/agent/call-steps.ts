/** What a call may do next, and what became of its last execution. */
import { aboutInput } from './approval';
import { requestEvent } from './event';
import { applyGrants } from './grants';
import { dropGuests } from './guests';
import { MAX_ROUNDS, type InputRoundDraft } from './input-round';
import type { Port, ToolExecution } from './port';
import { deliverHeld } from './intake';
import { jsonSize } from './json';
import { effectiveInput, hasRoom, MAX_OPEN_BYTES, openRequest, relayDraft } from './open-request';
import { MAX_APPROVERS } from './policy';
import type { RequestDraft } from './request';
import {
  editedText,
  noRoomText,
  notRunText,
  reconcilePrompt,
  tooManyRoundsText,
  unknownOutcomeText,
  unresolvedText,
} from './result-text';
import { isHeldRoute } from './route';
import type { CallState, RunState, ToolOutcome, Transcript, WaitPurpose } from './run-state';
import { errorResult, type ToolResult, type UnknownOutcomePolicy } from './tool';

/**
 * Moves every call as far as it goes without an execution: settles what needs none, opens requests.
 * Relay calls share one request, which opens when the last of them has passed its holds (R20).
 */
export function advanceCalls(run: RunState, transcript: Transcript, port: Port): void {
  // An answer that was there before its request moves its call on at once (R30).
  do {
    for (const call of run.calls) {
      if (call.phase.is === 'new') passHolds(run, call, port);
      if (finalResult(call)) settleReturned(transcript, call);
    }
    openRelay(run, transcript, port);
  } while (run.calls.some((call) => call.phase.is === 'new' || finalResult(call)));
}

function openRelay(run: RunState, transcript: Transcript, port: Port): void {
  const relayed = run.calls.filter((call) => call.route.to === 'relay');
  const ready = relayed.filter((call) => call.phase.is === 'cleared' && !call.recheck);
  if (run.waitFor) {
    // With a `waitFor` each relay call is a request of its own (R32).
    for (const call of ready) open(run, [call], relayDraft(transcript, [call], port.now()), 'relay', port);
  } else if (ready.length > 0 && !relayed.some(isUndecided)) {
    openTogether(run, transcript, ready, port);
  }
}

/** The calls for which the one request has room, in call order: a large one must not cost the others theirs. */
function openTogether(run: RunState, transcript: Transcript, ready: readonly CallState[], port: Port): void {
  let bytes = 0;
  const fitting = ready.filter((call) => {
    const more = jsonSize(relayDraft(transcript, [call], port.now()));
    const fits = hasRoom(run, bytes + more);
    if (fits) bytes += more;
    else settle(call, errorResult(noRoomText(call.name, MAX_OPEN_BYTES)));
    return fits;
  });
  if (fitting.length > 0) open(run, fitting, relayDraft(transcript, fitting, port.now()), 'relay', port);
}

/** A host's result that no worker has to look at. */
function finalResult({ phase, route }: CallState): ToolResult | undefined {
  if (phase.is !== 'returned') return undefined;
  return isHeldRoute(route) && (route.after === true || phase.unsure === true) ? undefined : phase.result;
}

/** A relay call that may yet join the one request. */
function isUndecided({ phase, recheck }: CallState): boolean {
  return (
    phase.is === 'new' ||
    phase.is === 'running' ||
    (phase.is === 'cleared' && recheck === true) ||
    (phase.is === 'waiting' && phase.purpose === 'hold')
  );
}

function passHolds(run: RunState, call: CallState, port: Port): void {
  const { route } = call;
  switch (route.to) {
    case 'error':
      call.phase = { is: 'settled', result: errorResult(route.text) };
      return;
    case 'result':
      call.phase = { is: 'settled', result: route.result };
      return;
    case 'relay':
    case 'agent':
    case 'tool': {
      const hold = route.holds?.[call.hold];
      if (hold) open(run, [call], asEdited(call, hold), 'hold', port);
      else call.phase = { is: 'cleared' };
    }
  }
}

/** A later approver decides on what will run: an earlier one's edit, not what the model asked for. */
function asEdited({ name, edited }: CallState, hold: RequestDraft): RequestDraft {
  return edited && hold.kind === 'approval' ? aboutInput(hold, name, edited) : hold;
}

function open(
  run: RunState,
  calls: readonly CallState[],
  draft: RequestDraft,
  purpose: WaitPurpose,
  port: Port,
): void {
  const opened = openRequest(run, calls, draft, purpose, port.now());
  if (!opened) {
    for (const call of calls) settle(call, errorResult(noRoomText(call.name, MAX_OPEN_BYTES)));
    return;
  }
  const { request } = opened;
  const callIds = calls.map((call) => call.id);
  port.report(run, requestEvent(run, request, callIds, port.now()));
  applyGrants(run, port.now());
  deliverHeld(run, request.id, { now: port.now(), earlier: port.earlier });
}

/** The tool's questions open together, or, where there is no room for all of them, none. */
function openRound(run: RunState, call: CallState, { requests, state }: InputRoundDraft, port: Port): void {
  const number = (call.round?.number ?? 0) + 1;
  const asks = Object.entries(requests);
  const opened = hasRoom(run, jsonSize(requests))
    ? asks.flatMap(([key, draft]) => {
        const open = openRequest(run, [call], draft, 'round', port.now());
        return open ? [[open.request, key] as const] : [];
      })
    : [];
  if (number > MAX_ROUNDS || opened.length === 0) {
    const text =
      number > MAX_ROUNDS ? tooManyRoundsText(call.name, MAX_ROUNDS) : noRoomText(call.name, MAX_OPEN_BYTES);
    settle(call, errorResult(text));
    return;
  }
  const asked = Object.fromEntries(opened.map(([{ id }, key]) => [id, key]));
  call.round = { number, asked, answers: {}, ...(state !== undefined && { state }) };
  for (const [request] of opened) port.report(run, requestEvent(run, request, [call.id], port.now()));
  for (const [{ id }] of opened) deliverHeld(run, id, { now: port.now(), earlier: port.earlier });
}

/** True when a halted run has something to do again: an answer, a deadline or a stop came. */
export function canProceed(run: RunState): boolean {
  if (run.stop || run.calls.every(({ phase }) => phase.is === 'settled')) return true;
  return run.calls.some((call) => {
    const { phase, route } = call;
    if (phase.is === 'waiting' || phase.is === 'settled') return false;
    if (phase.is === 'delegated') return !phase.halted;
    // A cleared relay call waits for the others of its message, whose approvals may take weeks (R20).
    const joins = phase.is === 'cleared' && route.to === 'relay' && !call.recheck;
    return !joins || !run.calls.some((other) => other.route.to === 'relay' && isUndecided(other));
  });
}

/** Whether a call is ready for its sub-agent. */
export function isDelegable({ phase, route, recheck }: CallState): boolean {
  return route.to === 'agent' && phase.is === 'cleared' && !recheck;
}

/** A sub-agent's run has ended, and its result is the call's. */
export function takeDelegated(run: RunState, call: CallState, result: ToolResult): void {
  if (call.phase.is !== 'delegated') return;
  dropGuests(run, call.phase);
  call.phase = { is: 'returned', result };
}

/** The execution that a call is ready for, if any. */
export function nextExecution(run: RunState, call: CallState): ToolExecution | undefined {
  const { phase, route } = call;
  const base = { call, turn: run.turn, attempts: attemptsFor(call) };
  if (phase.is === 'answered') return { ...base, mode: 'run', answer: phase.answer };
  // What it looks at is there already, whatever becomes of it.
  if (phase.is === 'returned') return { ...base, mode: 'after', result: phase.result, attempts: 3 };
  if (phase.is !== 'cleared') return undefined;
  if (route.to === 'tool') return { ...base, mode: 'run', ...answeredRound(call) };
  return call.recheck ? { ...base, mode: 'check' } : undefined;
}

/** What the tool asked for, where all of it was answered. */
function answeredRound({ round }: CallState): Pick<ToolExecution, 'round'> {
  if (!round) return {};
  const { answers, state } = round;
  return { round: { answers, ...(state !== undefined && { state }) } };
}

/** What to do when nobody knows whether a call ran, in the order of R33. */
export function unknownOutcomePolicy({ route, approved }: CallState): UnknownOutcomePolicy {
  if (route.to !== 'tool') return 'retry';
  if (route.onUnknownOutcome) return route.onUnknownOutcome;
  if (route.repeatable) return 'retry';
  return route.destructive || approved ? 'ask' : 'report';
}

function attemptsFor(call: CallState): 1 | 3 {
  return unknownOutcomePolicy(call) === 'retry' ? 3 : 1;
}

/** Records what became of an execution. */
export function takeOutcome(
  run: RunState,
  transcript: Transcript,
  { call, mode, result: given }: ToolExecution,
  outcome: ToolOutcome,
  port: Port,
): void {
  // The host has executed the call, so its result stands, though no worker could look at it.
  if (given && (outcome.is === 'unknown' || outcome.is === 'cancelled')) {
    settle(call, given, effectiveInput(transcript, call));
    return;
  }
  switch (outcome.is) {
    case 'result':
      settle(
        call,
        outcome.result,
        mode === 'check' ? undefined : effectiveInput(transcript, call),
        outcome.digest,
      );
      return;
    case 'suspended':
      if (call.suspendedFor !== undefined) {
        settle(call, errorResult(unresolvedText(call.suspendedFor)));
        return;
      }
      call.suspendedFor = outcome.request.prompt;
      open(run, [call], outcome.request, 'tool', port);
      return;
    case 'round':
      openRound(run, call, outcome.round, port);
      return;
    case 'asks':
      // Approved unedited, this is final: the predicate is not asked a third time (R28).
      delete call.recheck;
      open(run, [call], outcome.request, 'hold', port);
      return;
    case 'passed':
      delete call.recheck;
      call.phase = { is: 'cleared' };
      return;
    case 'unknown':
      takeUnknown(run, call, outcome.why, port);
      return;
    case 'cancelled':
      settle(
        call,
        errorResult(
          outcome.ran ? unknownOutcomeText(call.name, 'cancelled') : notRunText(call.name, 'cancelled'),
        ),
      );
  }
}

function takeUnknown(run: RunState, call: CallState, why: string, port: Port): void {
  call.unknown = why;
  if (run.stop || unknownOutcomePolicy(call) !== 'ask') {
    settle(call, errorResult(unknownOutcomeText(call.name, why)));
    return;
  }
  const draft: RequestDraft = {
    kind: 'reconcile',
    prompt: reconcilePrompt(call.name, why),
    data: { callId: call.id, tool: call.name, why },
    ...reconcilers(call),
  };
  open(run, [call], draft, 'reconcile', port);
}

/** Who may approve a call may say what became of it; one of them is enough. */
function reconcilers({ route }: CallState): Pick<RequestDraft, 'policy'> {
  const holds = (isHeldRoute(route) && route.holds) || [];
  const approvers = holds.flatMap(({ policy }) => [
    ...(policy?.approvers ?? []),
    ...(policy?.escalateTo ?? []),
  ]);
  return approvers.length > 0
    ? { policy: { approvers: [...new Set(approvers)].slice(0, MAX_APPROVERS) } }
    : {};
}

/** A host's result becomes the call's. What the host ran may be an approver's edit, and the model is told. */
export function settleReturned(transcript: Transcript, call: CallState): void {
  if (call.phase.is === 'returned') settle(call, call.phase.result, effectiveInput(transcript, call));
}

/** A digest is the worker's, of the text as the tool gave it: it does not fit a text that the run changed. */
function settle(call: CallState, result: ToolResult, ranWith?: unknown, digest?: string): void {
  if (call.edited && ranWith !== undefined) {
    call.phase = { is: 'settled', result: { ...result, output: editedText(ranWith, result.output) } };
    return;
  }
  call.phase = { is: 'settled', result, ...(digest !== undefined && { digest }) };
}
