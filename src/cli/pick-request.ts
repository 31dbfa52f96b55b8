import { HoldpointError } from '../agent/errors';
import type { RelayCall } from '../agent/relay';
import type { Request } from '../agent/request';
import type { RunView } from '../client';
import { usageError } from './command-error';
import { openCallsOf } from './open-calls';
import { visibleLine } from './visible-text';

/** The request that is meant: the one with the id, or the only open one. */
export interface PickedRequest {
  readonly id: string;
  /** Absent where the id is of no open request: the run itself says what became of it. */
  readonly request?: Request;
  /** Of a relay request: those that wait for a result. */
  readonly calls: readonly RelayCall[];
}

export function pickRequest(view: RunView, requestId: string | undefined): PickedRequest {
  const { requests = [], runId, receipts } = view;
  if (requestId !== undefined) {
    const request = requests.find(({ id }) => id === requestId);
    return { id: requestId, ...(request && { request }), calls: openCallsOf(request, receipts) };
  }
  const [only, ...others] = requests;
  if (!only) throw nothingOpen(view);
  if (others.length === 0) return { id: only.id, request: only, calls: openCallsOf(only, receipts) };
  const list = requests.map(({ id, kind, prompt }) => `  ${id}  (${kind}) ${visibleLine(prompt)}`);
  throw usageError(
    `Run ${runId} waits on ${requests.length} requests. Say which one you answer:\n${list.join('\n')}`,
  );
}

export function nothingOpen({ runId, status }: RunView): HoldpointError {
  const ended = status !== 'running' && status !== 'pending';
  return new HoldpointError(
    ended ? 'Holdpoint.Answer.RunClosed' : 'Holdpoint.Answer.UnknownRequest',
    ended
      ? `Run "${runId}" takes no answers any more: it ended as ${status}.`
      : `Run "${runId}" waits on nothing at the moment.`,
    { runId },
  );
}
