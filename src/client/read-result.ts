import { HoldpointError } from '../agent/errors';
import type { RunResult } from '../agent/result';
import type { RunSnapshot } from '../agent/wire';
import type { ClientContext } from './client-context';
import { bareOutcome, readClosing, type Closing } from './closed-run';
import type { RunTarget } from './ids';
import type { ResultOptions } from './options';
import { describeRun, type RunDescription } from './run-description';
import { summaryOf, toRunView, type RunView, type Summary } from './run-result';
import { queryState, tryQueryState } from './snapshot';
import { readMessages } from './transcript-pages';
import type { WaitLimit } from './wait-limit';
import { waitForRun, type Standing, type WaitGoal } from './wait-for-run';

/** How long to ask for what the close event does not say, where the caller can do without. */
const BRIEF = { timeoutMs: 5_000 };

const CUT_OFF: Closing = {
  error: { type: 'Holdpoint.Run.Failed', message: 'Its conversation closed before it ended.' },
};

/** Waits for the goal and reads the result there. */
export async function awaitResult(
  context: ClientContext,
  target: RunTarget,
  goal: WaitGoal,
  options: ResultOptions,
  limit: WaitLimit,
): Promise<RunResult> {
  for (;;) {
    const standing = await waitForRun(context, target, goal, limit);
    const view = await readView(context, target, standing, options, limit);
    // Someone else's answer may have moved the run on while its transcript was read.
    if (view && view.status !== 'running') return view;
  }
}

/** Reads a run as it stands; `undefined` when it moved on meanwhile. */
export async function readView(
  context: ClientContext,
  target: RunTarget,
  standing: Standing,
  options: ResultOptions,
  limit: WaitLimit,
): Promise<RunView | undefined> {
  if (standing.is === 'closed') return readClosed(context, target, standing.description, options, limit);
  const { snapshot } = standing;
  if (options.messages === false) return toRunView(summaryOf(snapshot), snapshot, []);
  const messages = await readMessages(context, target, snapshot.to, limit);
  if (snapshot.status === 'pending') {
    // Only placeholders ever change in a transcript. With the same state before and after, they are this halt's.
    const after = await queryState(context, target, limit);
    if (fingerprint(after) !== fingerprint(snapshot)) return undefined;
  }
  return toRunView(summaryOf(snapshot), snapshot, messages);
}

/** A run whose workflow is closed: the end from the close event, the rest from the run's own record. */
async function readClosed(
  context: ClientContext,
  target: RunTarget,
  description: RunDescription,
  options: ResultOptions,
  limit: WaitLimit,
): Promise<RunView> {
  const withMessages = options.messages !== false;
  if (target.conversationId !== undefined) {
    // A conversation's close event is about the conversation, so the ask's end is its record's to tell.
    const snapshot = await queryState(context, target, limit);
    const messages = withMessages ? await readMessages(context, target, snapshot.to, limit) : [];
    return toRunView(endOf(target.runId, CUT_OFF, snapshot), snapshot, messages);
  }
  const closing = await readClosing(context, target, description.executionId, limit);
  if ('outcome' in closing && !withMessages) return toRunView(closing.outcome, undefined, []);
  const snapshot = await readState(context, target, closing, withMessages, limit);
  const messages = withMessages && snapshot ? await readMessages(context, target, snapshot.to, limit) : [];
  return toRunView(endOf(target.runId, closing, snapshot), snapshot, messages);
}

async function readState(
  context: ClientContext,
  target: RunTarget,
  closing: Closing,
  withMessages: boolean,
  limit: WaitLimit,
): Promise<RunSnapshot | undefined> {
  try {
    if (!withMessages) return await tryQueryState(context, target, limit, BRIEF);
    return await queryState(context, target, limit);
  } catch (error) {
    // A run that was refused for its input has failed before it could answer anything.
    if (error instanceof HoldpointError && 'error' in closing) return undefined;
    throw error;
  }
}

function endOf(runId: string, closing: Closing, snapshot: RunSnapshot | undefined): Summary {
  if ('outcome' in closing) return closing.outcome;
  const known = snapshot && summaryOf({ ...snapshot, requests: [] });
  if (known && known.status !== 'running' && known.status !== 'pending') return known;
  // It was cut off before it could say how it ended.
  const status = 'cancelled' in closing ? 'cancelled' : 'failed';
  const bare = known ?? bareOutcome(runId);
  return { ...bare, status, ...('error' in closing && { error: closing.error }) };
}

/** All that a snapshot says of its own run; other asks may come and go beside it. */
function fingerprint(snapshot: RunSnapshot): string {
  return JSON.stringify({ ...snapshot, conversation: undefined });
}

/** Where a run stands at this moment. */
export async function readNow(
  context: ClientContext,
  target: RunTarget,
  options: ResultOptions,
  limit: WaitLimit,
): Promise<RunView> {
  for (;;) {
    const description = await describeRun(context, target.workflowId, limit);
    const standing: Standing = description.open
      ? { is: 'open', snapshot: await queryState(context, target, limit) }
      : { is: 'closed', description };
    const view = await readView(context, target, standing, options, limit);
    if (view) return view;
  }
}
