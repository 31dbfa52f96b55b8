import { HoldpointError } from '../agent/errors';
import type { Receipt } from '../agent/receipt';
import type { RelayCall } from '../agent/relay';
import type { Request } from '../agent/request';
import type { RunView } from '../client';
import { usageError } from './command-error';
import { repeatedFlags, type ConnectionFlags } from './connection';
import { invocation } from './invocation';
import { openCallsOf } from '../agent/open-calls';
import { shellQuote } from './shell-quote';
import { visibleLine } from '../agent/visible-text';

/** The request that is meant: the one with the id, or the only open one. */
export interface PickedRequest {
  readonly id: string;
  /** Absent where the id is of no open request: the run itself says what became of it. */
  readonly request?: Request;
  /** Of a relay request: those that wait for a result. */
  readonly calls: readonly RelayCall[];
}

export function pickRequest(
  view: RunView,
  requestId: string | undefined,
  flags: ConnectionFlags,
): PickedRequest {
  const { requests = [], runId, receipts } = view;
  if (requestId !== undefined) {
    const request = requests.find(({ id }) => id === requestId);
    return { id: requestId, ...(request && { request }), calls: openCallsOf(request, receipts) };
  }
  const [only, ...others] = requests;
  if (!only) throw nothingOpen(view, flags);
  if (others.length === 0) return { id: only.id, request: only, calls: openCallsOf(only, receipts) };
  const list = requests.map(({ id, kind, prompt }) => `  ${id}  (${kind}) ${visibleLine(prompt)}`);
  throw usageError(
    `Run ${runId} waits on ${requests.length} requests. Say which one you answer:\n${list.join('\n')}`,
  );
}

/** The error for a run without an open request; says who answered its last one, should this be a repeat. */
export function nothingOpen(
  { runId, status, receipts = [] }: RunView,
  flags: ConnectionFlags,
): HoldpointError {
  const ended = status !== 'running' && status !== 'pending';
  const receipt = receipts.findLast(({ resolved, via }) => resolved && via !== 'expiry' && via !== 'cancel');
  return new HoldpointError(
    ended ? 'Holdpoint.Answer.RunClosed' : 'Holdpoint.Answer.UnknownRequest',
    [
      ended
        ? `Run "${visibleLine(runId)}" takes no answers any more: it ended as ${status}.`
        : `Run "${visibleLine(runId)}" waits on nothing at the moment.`,
      ...(receipt ? [answeredText(runId, receipt, flags)] : []),
    ].join(' '),
    { runId, ...(receipt && { receipt: { ...receipt } }) },
  );
}

/** An answer is known by its request: only with that named can it be a repeat (R29). */
function answeredText(runId: string, { requestId, by, at }: Receipt, flags: ConnectionFlags): string {
  const who = by === undefined ? '' : ` by ${visibleLine(by)}`;
  const command = `${invocation()} answer ${shellQuote(runId)} ${shellQuote(requestId)}${repeatedFlags(flags)}`;
  return `Its request ${visibleLine(requestId)} was answered${who} at ${at}. If that was this answer, name the request and you get its receipt: ${command}, with the same options.`;
}
