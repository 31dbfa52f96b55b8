import { isStanding } from '../agent/grants';
import { callsOf, firstCall } from '../agent/open-request';
import { outcomeOf, shownRequest, visibleMarks, visibleMessages } from '../agent/run-result';
import type { RunState, Transcript } from '../agent/run-state';
import type { RunSnapshot, RunSnapshotSummary } from '../agent/wire';
import { without } from '../agent/without';

/** What `state()` says of a run: neither messages nor tool outputs. `fitted` makes it small enough to arrive. */
export function snapshotOf(run: RunState, transcript: Transcript): RunSnapshot {
  return {
    ...summaryOf(run, transcript),
    requests: [...run.requests]
      .sort((a, b) => firstCall(a) - firstCall(b))
      .map((open) => ({
        request: shownRequest(run, open),
        callIds: callsOf(run, open).map(({ id }) => id),
        openedAt: new Date(open.openedAt).toISOString(),
      })),
    receipts: run.receipts,
    rejections: run.rejections,
    ...(run.grants && {
      grants: run.grants.map((grant) => ({ ...without(grant, 'below'), inForce: isStanding(run, grant) })),
    }),
  };
}

export function summaryOf(run: RunState, transcript: Transcript): RunSnapshotSummary {
  const { text, output, toolCallCount, turns, usage, model, limit, error } = outcomeOf(run);
  return {
    runId: run.runId,
    agent: run.agent,
    ...(run.conversationId !== undefined && { conversationId: run.conversationId }),
    ...(run.tenant !== undefined && { tenant: run.tenant }),
    status: run.status,
    text,
    ...(output !== undefined && { output }),
    turns,
    usage,
    model,
    toolCallCount,
    ...(limit && { limit }),
    ...(error && { error }),
    from: run.from,
    to: visibleMessages(run, transcript).length,
    marks: visibleMarks(run, transcript),
    startedAt: new Date(run.startedAt).toISOString(),
    ...(run.endedAt !== undefined && { endedAt: new Date(run.endedAt).toISOString() }),
  };
}
