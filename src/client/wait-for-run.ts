import type { RunMemo, RunSnapshot } from '../agent/wire';
import type { ClientContext } from './client-context';
import { HistoryTail } from './history-tail';
import { askNumber, type Target } from './ids';
import { GRPC, grpcErrorOf, isNotFound, isTransient } from './rpc-failure';
import { describeRun, type RunDescription } from './run-description';
import { tryQueryState } from './snapshot';
import type { WaitLimit } from './wait-limit';

/** Where a run stands when the waiting is over. */
export type Standing =
  /** Its workflow goes on: a halt, or an ask of a conversation that ended. */
  | { readonly is: 'open'; readonly snapshot: RunSnapshot }
  /** Its workflow is closed. */
  | { readonly is: 'closed'; readonly description: RunDescription };

export interface WaitGoal {
  /** `halt`: the next halt or the end. `end`: through halts to the end. */
  readonly until: 'halt' | 'end';
  /** Ask the run before anything else, whatever its memo says. */
  readonly queryFirst?: boolean;
  /** The run was started just now, by this call: as this execution. There is nothing to look up yet. */
  readonly startedAs?: string;
  /** The ask was queued just now, by this call, so that it is known to exist. */
  readonly queued?: boolean;
  /** More that must hold. May throw, which ends the waiting. */
  readonly holds?: (snapshot: RunSnapshot) => boolean;
}

/**
 * Waits without polling: looks the run up, asks it when its memo says that it may be there, and otherwise
 * follows the history to the next halt marker. The lookup comes before the tail and says how far it saw, so
 * nothing falls between the two.
 */
export async function waitForRun(
  context: ClientContext,
  target: Target,
  goal: WaitGoal,
  limit: WaitLimit,
): Promise<Standing> {
  let tail: HistoryTail | undefined;
  if (goal.startedAs !== undefined) {
    tail = new HistoryTail(context, target.workflowId, goal.startedAs, 0);
    await changeOf(tail, limit);
  }
  let ask = goal.queryFirst === true;
  let over: string | undefined;
  for (let failures = 0; ;) {
    const description = await describeRun(context, target.workflowId, limit);
    if (!description.open) return { is: 'closed', description };
    if (description.executionId === over) {
      // Either the lookup lags behind the history's end, or the server, like the time-skipping one, does not keep
      // a reader's place and ends each reading.
      tail = undefined;
      await limit.pause(0);
    }
    if (ask || mayBeThere(description.memo, target, goal)) {
      const snapshot = await tryQueryState(context, target, limit, { failures });
      if (!snapshot) {
        // No worker just now. The run may end without one, by a termination: look again before asking again.
        await limit.pause(failures);
        failures += 1;
        continue;
      }
      ask = false;
      failures = 0;
      if (isThere(snapshot, goal)) return { is: 'open', snapshot };
    }
    if (tail?.executionId !== description.executionId)
      tail = new HistoryTail(context, target.workflowId, description.executionId, description.events);
    if ((await changeOf(tail, limit)) === 'end') over = tail.executionId;
  }
}

function isThere(snapshot: RunSnapshot, { until, holds }: WaitGoal): boolean {
  if (holds && !holds(snapshot)) return false;
  return snapshot.status !== 'running' && (snapshot.status !== 'pending' || until === 'halt');
}

/** Whether it is worth asking the run, as far as its memo tells. Without a memo only the run itself knows. */
function mayBeThere(memo: RunMemo | undefined, target: Target, { until, queued }: WaitGoal): boolean {
  const { conversationId, ask = 0 } = target;
  // The end of a standalone run shows in its close event.
  if (conversationId === undefined) return until === 'halt' && memo?.status !== 'running';
  const current = memo && askNumber(memo.runId, conversationId);
  // An ask that has just begun shows in the memo once it halts or ends; the one before it is idle until then.
  if (queued === true && current === ask - 1 && memo?.status === 'idle') return false;
  // `running` beside an ask's own id is either its resume, or its end with others in the queue.
  return current !== ask || memo?.status !== 'pending' || until === 'halt';
}

/**
 * The next halt marker or the execution's end. A tail that is gone, or does not answer in time, counts as its
 * end: the caller looks again.
 */
async function changeOf(tail: HistoryTail, limit: WaitLimit): Promise<'marker' | 'end'> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await tail.next(limit);
    } catch (error) {
      if (isNotFound(error) || grpcErrorOf(error)?.code === GRPC.deadlineExceeded) return 'end';
      if (!isTransient(error)) throw error;
      await limit.pause(failures);
    }
  }
}
