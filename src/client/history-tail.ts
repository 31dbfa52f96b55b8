import type { ClientContext } from './client-context';
import { grpcErrorOf, GRPC } from './rpc-failure';
import type { WaitLimit } from './wait-limit';

/** Where a reader of a history stands. */
export interface TailPosition {
  /** Id of the last event that was read. */
  readonly event: number;
  readonly token: Uint8Array;
}

/** The server answers a long poll after some 20 s, with or without events. */
export const LONG_POLL_MS = 60_000;
/**
 * It answers one from the start of a history at once. The time-skipping server does not: it keeps no reader's
 * place, and waits for what comes next.
 */
const FIRST_POLL_MS = 3_000;

/**
 * Follows one execution's history and stops at its halt markers: changes of the memo. Waiting here writes
 * nothing to the history and needs no worker (design, "Waiting costs nothing").
 */
export class HistoryTail {
  private position: TailPosition | undefined;

  /** `seen` is the id of the last event that the caller knows the effect of. */
  constructor(
    private readonly context: ClientContext,
    private readonly workflowId: string,
    readonly executionId: string,
    private readonly seen: number,
  ) {
    const known = context.tails.get(executionId);
    // Another wait of this client may have read on since; what it read would be missed here.
    if (known && known.event <= seen) this.position = known;
  }

  /**
   * Resolves after the next halt marker, or the execution's end; `marker` may be a false alarm. Rejects like any
   * request of `limit`: a passing failure loses no marker when the call is repeated.
   */
  async next(limit: WaitLimit): Promise<'marker' | 'end'> {
    for (;;) {
      const { history, nextPageToken } = await this.read(limit);
      const events = history?.events ?? [];
      const fresh = events.filter((event) => Number(event.eventId) > this.seen);
      const last = events.at(-1);
      if (!nextPageToken || nextPageToken.length === 0) {
        this.context.tails.delete(this.executionId);
        // A whole history ends with an event. Without one, this is a server that ends a long poll with empty hands,
        // as the time-skipping one does: whoever waits must look the run up again.
        return last ? 'end' : 'marker';
      }
      this.position = {
        event: last ? Number(last.eventId) : (this.position?.event ?? 0),
        token: nextPageToken,
      };
      this.context.tails.set(this.executionId, this.position);
      if (fresh.some((event) => event.workflowPropertiesModifiedEventAttributes)) return 'marker';
    }
  }

  private async read(limit: WaitLimit): ReturnType<typeof this.request> {
    try {
      return await limit.once(() => this.request(), this.position ? LONG_POLL_MS : FIRST_POLL_MS);
    } catch (error) {
      if (grpcErrorOf(error)?.code !== GRPC.invalidArgument || !this.position) throw error;
      // Tokens are the server's own and do not outlive every change of it. From the start, then: `seen` keeps
      // what is already known from counting as news.
      this.position = undefined;
      return await limit.once(() => this.request(), FIRST_POLL_MS);
    }
  }

  private request() {
    const { temporal, namespace } = this.context;
    return temporal.workflowService.getWorkflowExecutionHistory({
      namespace,
      execution: { workflowId: this.workflowId, runId: this.executionId },
      waitNewEvent: true,
      skipArchival: true,
      ...(this.position && { nextPageToken: this.position.token }),
    });
  }
}
