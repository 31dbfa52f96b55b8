import { runClosed } from '../agent/closed-request';
import { HoldpointError, type ErrorType } from '../agent/errors';
import type { Receipt } from '../agent/receipt';
import type { RunResult } from '../agent/result';
import { SIGNAL_RUN_WITH_ANSWER, UPDATE_ANSWER, type RunSnapshot } from '../agent/wire';
import { isReceiptOf, timesVoided, type SnapshotVerdict } from './answer-verdict';
import type { ClientContext } from './client-context';
import { askTarget, type RunTarget, type Target } from './ids';
import { judgeClosed, lookAhead } from './look-ahead';
import type { ResultOptions } from './options';
import type { PreparedAnswer } from './prepared-answer';
import { awaitResult } from './read-result';
import { isWithin } from './run-result';
import { isGone, sendUpdate } from './send-update';
import { queryState } from './snapshot';
import { noteRefusal } from './steer-run';
import type { WaitLimit } from './wait-limit';

/** Sends an answer as a validated update: its receipt, or the run's typed refusal. */
export async function sendByUpdate(
  context: ClientContext,
  target: Target,
  prepared: PreparedAnswer,
  limit: WaitLimit,
): Promise<Receipt> {
  const { verdict, snapshot } = await lookAhead(context, target, prepared, limit);
  const known = receiptIn(verdict);
  if (known) return known;
  const { answer } = prepared;
  // The server gives an update id that it knows the first outcome: a vote that is given again needs another.
  const voided = snapshot ? timesVoided(snapshot, prepared) : 0;
  const updateId = voided === 0 ? prepared.updateId : `${prepared.updateId}_${voided}`;
  try {
    return await sendUpdate(context, target, { name: UPDATE_ANSWER, argument: answer, updateId }, limit);
  } catch (error) {
    if (!isGone(error)) {
      if (isOutsider(error)) await note(context, target, answer, error, limit);
      throw error;
    }
    return receiptAfterClose(context, target, prepared, limit);
  }
}

function isOutsider(error: unknown): error is HoldpointError {
  return error instanceof HoldpointError && error.type === 'Holdpoint.Answer.NotApprover';
}

/**
 * A refused update leaves nothing on the run's record, and who tried to decide what is not theirs belongs there. The
 * refusal stands whether or not that works.
 */
async function note(
  context: ClientContext,
  target: Target,
  { id, answerId, by, channel }: PreparedAnswer['answer'],
  { type, message }: HoldpointError,
  limit: WaitLimit,
): Promise<void> {
  const attempt = {
    requestId: id,
    answerId,
    ...(by !== undefined && { by }),
    ...(channel !== undefined && { channel }),
    error: { type, message },
  };
  await noteRefusal(context, target, attempt, limit).catch(() => undefined);
}

/**
 * Sends an answer as a signal and waits for the next halt or the end: the same halt while calls of it stay
 * open. A refusal shows in the run's rejections and is thrown as the typed error it is (R30).
 */
export async function sendBySignal(
  context: ClientContext,
  target: Target,
  prepared: PreparedAnswer,
  options: ResultOptions,
  limit: WaitLimit,
): Promise<RunResult> {
  const { verdict, snapshot } = await lookAhead(context, target, prepared, limit);
  const known = receiptIn(verdict) ?? (await signal(context, target, prepared, limit));
  let accepted = known !== undefined;
  const run = await askedRun(context, target, snapshot, known, limit);
  const earlier = {
    rejections: snapshot?.rejections.map(({ at }) => at) ?? [],
    voided: snapshot ? timesVoided(snapshot, prepared) : 0,
  };
  const landed = (now: RunSnapshot): boolean => (accepted ||= hasLanded(now, prepared, earlier));
  const goal = { until: 'halt', queryFirst: true, holds: landed } as const;
  const result = await awaitResult(context, run, goal, options, limit);
  if (accepted || landed(await queryState(context, run, limit))) return result;
  // The run ended with the answer under way to it.
  throw runClosed({ runId: run.runId }, prepared.answer);
}

/** Gives a receipt when the run was found closed and has accepted the answer before. */
async function signal(
  context: ClientContext,
  target: Target,
  prepared: PreparedAnswer,
  limit: WaitLimit,
): Promise<Receipt | undefined> {
  const handle = context.temporal.workflow.getHandle(target.workflowId);
  try {
    // Twice is harmless: the second is a repeat. Never with a start, which would revive a closed run.
    await limit.retrying(() => handle.signal(SIGNAL_RUN_WITH_ANSWER, prepared.answer));
    return undefined;
  } catch (error) {
    if (!isGone(error)) throw error;
    return receiptAfterClose(context, target, prepared, limit);
  }
}

async function receiptAfterClose(
  context: ClientContext,
  target: Target,
  prepared: PreparedAnswer,
  limit: WaitLimit,
): Promise<Receipt> {
  const { verdict, snapshot } = await judgeClosed(context, target, prepared, limit);
  const receipt = receiptIn(verdict);
  if (receipt) return receipt;
  throw runClosed({ runId: target.runId ?? snapshot?.runId ?? '' }, prepared.answer);
}

/** The receipt of a repeat. Throws the refusal. */
function receiptIn(verdict: SnapshotVerdict): Receipt | undefined {
  if (verdict.is === 'refused') throw verdict.error;
  return verdict.is === 'repeat' ? verdict.receipt : undefined;
}

/** The run to wait for: in a conversation, the ask that accepted the answer or was there when it came. */
async function askedRun(
  context: ClientContext,
  target: Target,
  before: RunSnapshot | undefined,
  known: Receipt | undefined,
  limit: WaitLimit,
): Promise<RunTarget> {
  if (target.runId !== undefined) return { ...target, runId: target.runId };
  const snapshot = before ?? (await queryState(context, target, limit));
  const ended = known && snapshot.conversation?.ended.find((ask) => isWithin(known, ask));
  return askTarget({ ...target, conversationId: target.conversationId ?? '' }, (ended ?? snapshot).runId);
}

/** True when the run has accepted the answer, false when it has not seen it or holds it. Throws its refusal. */
function hasLanded(
  snapshot: RunSnapshot,
  prepared: PreparedAnswer,
  earlier: { readonly rejections: readonly string[]; readonly voided: number },
): boolean {
  const accepted = snapshot.receipts.filter((entry) => isReceiptOf(entry, prepared));
  if (accepted.length > earlier.voided) return true;
  // An older rejection of the same id is of an earlier attempt.
  const rejection = snapshot.rejections.findLast(
    ({ answerId, at }) => answerId === prepared.answer.answerId && !earlier.rejections.includes(at),
  );
  if (!rejection) return false;
  const { type, message, data } = rejection.error;
  throw new HoldpointError(type as ErrorType, message, data);
}
