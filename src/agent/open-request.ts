import { MAX_ID_LENGTH } from './answer';
import { GENERATED_ID, requestIdOf } from './ids';
import { jsonSize, type JsonObject } from './json';
import { toolCallsOf } from './message';
import type { RelayCall } from './relay';
import { parseInstant } from './instant';
import { nextStep } from './policy';
import type { RequestDraft } from './request';
import { relayPrompt } from './result-text';
import { isHeldRoute } from './route';
import { inputOf } from './run-result';
import type { CallState, OpenRequest, RunState, Transcript, WaitPurpose } from './run-state';

/**
 * Opens a request for some calls of the open turn and puts them to wait on it. A tool's own id is kept
 * unless this run has used it; otherwise the id derives from the run's first execution (R10). Opens none, and
 * gives `undefined`, where the run's open requests would be too large together.
 */
export function openRequest(
  run: RunState,
  calls: readonly CallState[],
  draft: RequestDraft,
  purpose: WaitPurpose,
  now: number,
): OpenRequest | undefined {
  const bytes = jsonSize(draft);
  if (!hasRoom(run, bytes)) return undefined;
  const { id: wanted, ...rest } = draft;
  const id = wanted !== undefined && isUsable(run, wanted) ? wanted : generateId(run, calls);
  if (id === wanted) run.usedIds.push(id);
  const open: OpenRequest = {
    request: { id, ...rest },
    calls: calls.map((call) => call.index),
    purpose,
    openedAt: now,
    bytes,
  };
  run.requests.push(open);
  for (const call of calls) call.phase = { is: 'waiting', requestId: id, purpose };
  return open;
}

/** A query's result shows all open requests, an activity's input one of them, and the engine takes 2 MB of each. */
export const MAX_OPEN_BYTES = 1_048_576;

/** Whether one more request of this size may be open. */
export function hasRoom({ requests }: RunState, bytes: number): boolean {
  return requests.reduce((sum, open) => sum + open.bytes, bytes) <= MAX_OPEN_BYTES;
}

/** The call of this run that a request is about first; requests are shown in this order (R26). */
export function firstCall({ guest, calls }: OpenRequest): number {
  return guest?.callIndex ?? calls[0] ?? 0;
}

/** The calls that a request is about, the sub-agent's where it is one's. */
export function callsOf(run: RunState, { guest, calls }: OpenRequest): CallState[] {
  const all = guest?.calls ?? run.calls;
  return calls.flatMap((index) => all[index] ?? []);
}

/** Whether no request of the run has had this id. */
export function isFreeId(run: RunState, id: string): boolean {
  return !run.usedIds.includes(id) && !run.requests.some(({ request }) => request.id === id);
}

/** A tool may set any id but one that was used, could not be answered, or might be another call's (R10). */
function isUsable(run: RunState, id: string): boolean {
  return !run.usedIds.includes(id) && id.length <= MAX_ID_LENGTH && !id.startsWith(GENERATED_ID);
}

function generateId(run: RunState, calls: readonly CallState[]): string {
  const first = calls[0];
  if (!first) throw new Error('A request needs at least one call.');
  for (;;) {
    const id = requestIdOf(run.seed, run.turn, first.index, first.requests);
    first.requests += 1;
    if (!run.usedIds.includes(id)) return id;
  }
}

/** The one request for relay calls (R20): the first call's prompt, all calls in order, the earliest expiry. */
export function relayDraft(transcript: Transcript, calls: readonly CallState[], now: number): RequestDraft {
  const expiries = calls.flatMap(({ route }) =>
    route.to === 'relay' && route.expiresInMs !== undefined ? [now + route.expiresInMs] : [],
  );
  return {
    kind: 'tool_call',
    prompt: relayPrompt(calls[0]?.name ?? ''),
    data: { calls: calls.map((call) => ({ ...relayCall(transcript, call) })) },
    ...(expiries.length > 0 && { expiresAt: new Date(Math.min(...expiries)).toISOString() }),
  };
}

function relayCall(transcript: Transcript, call: CallState): RelayCall {
  const raw = rawArguments(transcript, call);
  const input = effectiveInput(transcript, call);
  const replaced = call.edited ?? (call.route.to === 'relay' ? call.route.input : undefined);
  return {
    id: call.id,
    name: call.name,
    input,
    arguments: replaced ? JSON.stringify(replaced) : raw,
  };
}

/** The provider's raw argument string of a call of the open turn (R18). */
export function rawArguments(transcript: Transcript, call: CallState): string {
  const message = transcript.entries.at(-1)?.message;
  return toolCallsOf(message)[call.index]?.function.arguments ?? '';
}

/** What the call runs with: an approver's edit, a hook's replacement, or the model's own arguments. */
export function effectiveInput(transcript: Transcript, call: CallState): JsonObject {
  const { route } = call;
  const replaced = call.edited ?? (isHeldRoute(route) ? route.input : undefined);
  return replaced ?? inputOf(rawArguments(transcript, call)) ?? {};
}

/** The calls of a request that have no answer yet. */
export function callsWaitingOn(run: RunState, requestId: string): CallState[] {
  const guest = run.requests.find(({ request }) => request.id === requestId)?.guest;
  return (guest?.calls ?? run.calls).filter((call) => waitsOn(call, requestId));
}

/** Whether a call waits on a request; on those of a round it waits on all at once. */
export function waitsOn({ phase, round }: CallState, requestId: string): boolean {
  if (phase.is !== 'waiting') return false;
  if (phase.requestId === requestId) return true;
  // A tool may have called a request `constructor`.
  return phase.purpose === 'round' && round !== undefined && Object.hasOwn(round.asked, requestId);
}

/** The prompt that a decline of this request shows for one of its calls (R25). */
export function promptFor({ request, purpose }: OpenRequest, call: CallState): string {
  return purpose === 'relay' ? relayPrompt(call.name) : request.prompt;
}

/** A request's deadline in milliseconds since the epoch. */
export function deadlineOf(open: OpenRequest): number | undefined {
  return open.request.expiresAt === undefined ? undefined : parseInstant(open.request.expiresAt);
}

/** The earliest instant at which an open request expires, is reminded of or escalates. */
export function nextDue(run: RunState): number | undefined {
  const due = run.requests.flatMap((open) =>
    [deadlineOf(open) ?? [], nextStep(open.request.policy) ?? []].flat(),
  );
  return due.length > 0 ? Math.min(...due) : undefined;
}

/** The earliest deadline of the open requests (R31). */
export function nextDeadline(run: RunState): number | undefined {
  const deadlines = run.requests.flatMap((open) => deadlineOf(open) ?? []);
  return deadlines.length > 0 ? Math.min(...deadlines) : undefined;
}
