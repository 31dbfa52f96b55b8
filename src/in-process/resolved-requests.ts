import { HoldpointError } from '../agent/errors';
import type { Message } from '../agent/message';
import type { Request } from '../agent/request';
import type { RunState } from '../agent/run-state';
import { rebuiltRunId } from './rebuild-run';

/** Requests that a client remembers as resolved. */
const MAX_REMEMBERED = 10_000;

/** Ids of the form that runs generate are unique across runs; a tool's own id only within its run (R10). */
const GENERATED = /^req_[^_]+_\d+_\d+(_\d+)?$/;

/**
 * The requests that one client has resolved: the same saved state given to it twice must not run a tool
 * twice (R46). Across clients only a durable run can know.
 */
export class ResolvedRequests {
  private readonly keys = new Set<string>();

  /** Throws `Holdpoint.Answer.AlreadyAnswered` when another copy of the run's state has resolved it. */
  refuseResolved(run: RunState, requestId: string): void {
    const isOpen = run.requests.some(({ request }) => request.id === requestId);
    if (!isOpen || !this.keys.has(keyOf(run, requestId))) return;
    throw new HoldpointError(
      'Holdpoint.Answer.AlreadyAnswered',
      `Request ${JSON.stringify(requestId)} was answered from another copy of this run's state. The first answer stands.`,
      { requestId, runId: run.runId },
    );
  }

  /** Notes all that the run has resolved. */
  note(run: RunState): void {
    for (const { receipt } of run.receipts) {
      if (!receipt.resolved) continue;
      this.keys.add(keyOf(run, receipt.requestId));
    }
    this.forgetOldest();
  }

  /** Notes a request as resolved for the run that its messages alone would be taken for. */
  noteRebuilt(run: RunState, messages: readonly Message[], request: Request): void {
    if (run.requests.some((open) => open.request.id === request.id)) return;
    this.keys.add(keyOf({ runId: rebuiltRunId(messages, request) }, request.id));
    this.forgetOldest();
  }

  private forgetOldest(): void {
    for (const key of this.keys) {
      if (this.keys.size <= MAX_REMEMBERED) return;
      this.keys.delete(key);
    }
  }
}

function keyOf(run: Pick<RunState, 'runId'>, requestId: string): string {
  return GENERATED.test(requestId) ? requestId : `${run.runId} ${requestId}`;
}
