/**
 * Where answers come in. Pure and synchronous: the workflow's signal and update handlers and the
 * in-process client call the same functions.
 *
 * 1. An answer is accepted or refused whole; a refusal changes nothing (R24, R29).
 * 2. A call that has its result never gets another (R16, R29).
 * 3. No input throws: a refusal is a value (R30).
 */
import { answerFingerprint, parseAnswer, type Answer } from './answer';
import { readSteps, type AnswerSteps } from './answer-content';
import { expired, judgeClosed } from './closed-request';
import { HoldpointError } from './errors';
import { Meter } from './meter';
import { callsWaitingOn, deadlineOf, promptFor } from './open-request';
import type { AnswerChannel, Receipt } from './receipt';
import { quote, refusal } from './refusal';
import { declinedText, unknownOutcomeText } from './result-text';
import type { OpenRequest, ReceiptRecord, RunState } from './run-state';
import { MAX_LOOKS } from './schema-fit';
import { errorResult } from './tool';

export type Verdict =
  | {
      readonly is: 'accept';
      readonly answer: Answer;
      readonly open: OpenRequest;
      readonly steps: AnswerSteps;
    }
  | { readonly is: 'repeat'; readonly receipt: Receipt }
  /** `early`: the request may still open (R30). */
  | {
      readonly is: 'refuse';
      readonly error: HoldpointError;
      readonly answer?: Answer;
      readonly early?: true;
    };

export interface JudgeOptions {
  readonly now: number;
  /** Receipts of a conversation's earlier asks. */
  readonly earlier?: readonly ReceiptRecord[] | undefined;
  /** What all checks of a workflow's step may look at together. Default: one answer's worth. */
  readonly meter?: Meter | undefined;
}

/** Says what would become of an answer, and changes nothing. The checks come in R29's order. */
export function judgeAnswer(
  run: RunState,
  raw: unknown,
  { now, earlier = [], meter = new Meter(MAX_LOOKS) }: JudgeOptions,
): Verdict {
  const parsed = parseAnswer(raw);
  if (!parsed.ok)
    return {
      is: 'refuse',
      error: new HoldpointError(
        parsed.tooLarge ? 'Holdpoint.Answer.TooLarge' : 'Holdpoint.Answer.Malformed',
        `The answer was refused. ${parsed.problem} Nothing was changed.`,
        { runId: run.runId },
      ),
    };
  const { answer } = parsed;
  const records = [...earlier, ...run.receipts];
  const known = judgeAgainstReceipts(answer, records);
  if (known) return known;
  const open = run.requests.find((entry) => entry.request.id === answer.id);
  if (!open) {
    const { runId, endedAt, status } = run;
    const about = { runId, ...(endedAt !== undefined && { endedAs: status }) };
    return { is: 'refuse', answer, ...judgeClosed(about, answer, records) };
  }
  if (isOverdue(open, now) && open.request.kind === 'approval')
    return { is: 'refuse', answer, error: expired(answer) };
  if (!answer.ok) return { is: 'accept', answer, open, steps: new Map() };
  try {
    const steps = readSteps(answer, open, callsWaitingOn(run, answer.id), run.calls, meter);
    return { is: 'accept', answer, open, steps };
  } catch (error) {
    if (error instanceof HoldpointError) return { is: 'refuse', answer, error };
    throw error;
  }
}

/** A repeat gives the first receipt; a reused answer id is refused (R29). Also for clients, from a snapshot. */
export function judgeAgainstReceipts(answer: Answer, records: readonly ReceiptRecord[]): Verdict | undefined {
  if (answer.answerId === undefined) {
    // What a timer or an end declined was nobody's answer: nobody can repeat it.
    const candidates = records.filter(
      ({ receipt: { requestId, via } }) => requestId === answer.id && via !== 'expiry' && via !== 'cancel',
    );
    // A digest costs more than all else in here: a flood of large answers must not take one each.
    if (candidates.length === 0) return undefined;
    const fingerprint = answerFingerprint(answer);
    const same = candidates.find((record) => record.fingerprint === fingerprint);
    return same && { is: 'repeat', receipt: same.receipt };
  }
  const named = records.find((record) => record.receipt.answerId === answer.answerId);
  if (!named) return undefined;
  if (named.fingerprint === answerFingerprint(answer)) return { is: 'repeat', receipt: named.receipt };
  return {
    is: 'refuse',
    answer,
    error: refusal(
      'Holdpoint.Answer.AnswerIdReused',
      answer,
      `Answer id ${quote(answer.answerId)} was accepted with other content. Send a different answer under an id of its own.`,
    ),
  };
}

function isOverdue(open: OpenRequest, now: number): boolean {
  const deadline = deadlineOf(open);
  return deadline !== undefined && now >= deadline;
}

/** Carries out an accepted verdict and gives its receipt. */
export function applyVerdict(
  run: RunState,
  { answer, open, steps }: Extract<Verdict, { is: 'accept' }>,
  { now, via }: { readonly now: number; readonly via: AnswerChannel },
): Receipt {
  const waiting = callsWaitingOn(run, answer.id);
  const touched = answer.ok ? waiting.filter((call) => steps.has(call)) : waiting;
  for (const call of touched) {
    const step = steps.get(call);
    if (!step) {
      const text =
        open.purpose === 'reconcile'
          ? unknownOutcomeText(call.name, call.unknown ?? '')
          : declinedText(promptFor(open, call), answer.reason);
      call.phase = { is: 'settled', result: errorResult(text) };
    } else if (step.is === 'result') {
      call.phase = { is: 'returned', result: step.result, ...(step.unsure && { unsure: true }) };
    } else if (step.is === 'resume') {
      call.answer = answer;
      call.phase = { is: 'answered', answer };
    } else if (step.is === 'rerun') {
      call.phase = call.answer ? { is: 'answered', answer: call.answer } : { is: 'cleared' };
    } else {
      call.hold += 1;
      if (open.request.kind === 'approval') call.approved = true;
      if (step.edited) Object.assign(call, { edited: step.edited, recheck: true });
      call.phase = { is: 'new' };
    }
  }
  const left = callsWaitingOn(run, answer.id);
  if (left.length === 0) run.requests = run.requests.filter((entry) => entry !== open);
  const receipt: Receipt = {
    requestId: answer.id,
    ...(answer.answerId !== undefined && { answerId: answer.answerId }),
    accepted: true,
    ok: answer.ok,
    resolved: left.length === 0,
    settled: touched.map((call) => call.id),
    open: left.map((call) => call.id),
    at: new Date(now).toISOString(),
    ...(answer.by !== undefined && { by: answer.by }),
    via,
    ...(isOverdue(open, now) && via !== 'expiry' && via !== 'cancel' && { late: true }),
  };
  run.receipts.push({ receipt, fingerprint: answerFingerprint(answer), turn: run.turn });
  if (answer.answerId !== undefined)
    run.rejections = run.rejections.filter((rejection) => rejection.answerId !== answer.answerId);
  return receipt;
}
