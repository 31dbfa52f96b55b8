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
import { aboutInput, inputDigest } from './approval';
import { expired, judgeClosed, notHere } from './closed-request';
import { isVote, refuseOutsider } from './entitlement';
import { HoldpointError } from './errors';
import { forwardAnswer } from './guests';
import { Meter } from './meter';
import { callsWaitingOn, deadlineOf, promptFor } from './open-request';
import { entitledAs } from './policy';
import type { AnswerVia, Receipt } from './receipt';
import { quote, refusal } from './refusal';
import { declinedText, unknownOutcomeText } from './result-text';
import type { CallState, Grant, OpenRequest, ReceiptRecord, RunState } from './run-state';
import { MAX_LOOKS } from './schema-fit';
import { errorResult } from './tool';
import { without } from './without';

export type Verdict =
  | {
      readonly is: 'accept';
      readonly answer: Answer;
      readonly open: OpenRequest;
      readonly steps: AnswerSteps;
      /** One of the several approvals that the request needs: nothing runs yet. */
      readonly vote?: true;
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
  /** The run that called this sub-agent has accepted it: who may answer was decided there. */
  readonly forwarded?: boolean | undefined;
}

/** Says what would become of an answer, and changes nothing. The checks come in R29's order. */
export function judgeAnswer(
  run: RunState,
  raw: unknown,
  { now, earlier = [], meter = new Meter(MAX_LOOKS), ...options }: JudgeOptions,
): Verdict {
  const forwarded = isForwarded(run, options);
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
  if (run.parent && !forwarded) return { is: 'refuse', answer, error: notHere(run.parent, answer) };
  const records = [...earlier, ...run.receipts];
  const open = run.requests.find((entry) => entry.request.id === answer.id);
  const known = judgeAgainstReceipts(answer, records, open !== undefined);
  if (known) return known;
  if (!open) {
    const { runId, endedAt, status } = run;
    const about = { runId, ...(endedAt !== undefined && { endedAs: status }) };
    return { is: 'refuse', answer, ...judgeClosed(about, answer, records) };
  }
  if (!forwarded && isOverdue(open, now) && open.request.kind === 'approval')
    return { is: 'refuse', answer, error: expired(answer) };
  try {
    if (!forwarded) refuseOutsider(answer, open);
    if (!answer.ok) return { is: 'accept', answer, open, steps: new Map() };
    const steps = readSteps(
      answer,
      open,
      callsWaitingOn(run, answer.id),
      open.guest?.calls ?? run.calls,
      meter,
    );
    return {
      is: 'accept',
      answer,
      open,
      steps,
      ...(!forwarded && isVote(open, answer, steps) && { vote: true }),
    };
  } catch (error) {
    if (error instanceof HoldpointError) return { is: 'refuse', answer, error };
    throw error;
  }
}

/** Only a sub-agent's run has one above it. */
export function isForwarded({ parent }: RunState, { forwarded }: Pick<JudgeOptions, 'forwarded'>): boolean {
  return forwarded === true && parent !== undefined;
}

/** What came of a timer, of an end or of an earlier decision was nobody's answer. */
const NOBODYS: readonly AnswerVia[] = ['policy', 'expiry', 'cancel'];

/**
 * A repeat gives the first receipt; a reused answer id is refused (R29). Also for clients, from a snapshot. While its
 * request is open, a vote that an edit made void can be given again.
 */
export function judgeAgainstReceipts(
  answer: Answer,
  all: readonly ReceiptRecord[],
  isOpen: boolean,
): Verdict | undefined {
  const counts = ({ receipt }: ReceiptRecord): boolean => !isOpen || !receipt.voided;
  const records = all.filter(counts);
  if (answer.answerId === undefined) {
    // Nobody can repeat what was nobody's answer.
    const candidates = records.filter(
      ({ receipt: { requestId, via } }) => requestId === answer.id && !NOBODYS.includes(via),
    );
    // A digest costs more than all else in here: a flood of large answers must not take one each.
    if (candidates.length === 0) return undefined;
    const fingerprint = answerFingerprint(answer);
    const same = candidates.find((record) => record.fingerprint === fingerprint);
    return same && { is: 'repeat', receipt: same.receipt };
  }
  const isNamed = ({ receipt }: ReceiptRecord): boolean => receipt.answerId === answer.answerId;
  // The one that counts goes before one that an edit made void.
  const named = all.find((record) => isNamed(record) && !record.receipt.voided) ?? all.find(isNamed);
  if (!named) return undefined;
  if (named.fingerprint === answerFingerprint(answer))
    return counts(named) ? { is: 'repeat', receipt: named.receipt } : undefined;
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
  { answer, open, steps, vote }: Extract<Verdict, { is: 'accept' }>,
  { now, via }: { readonly now: number; readonly via: AnswerVia },
): Receipt {
  const waiting = callsWaitingOn(run, answer.id);
  const decided = decisionOf(answer, open, steps);
  if (vote) castVote(run, answer, open, steps, now);
  const touched = vote ? [] : answer.ok ? waiting.filter((call) => steps.has(call)) : waiting;
  for (const call of touched) {
    const step = steps.get(call);
    if (open.purpose === 'round') {
      // A no and the end of its time are answers that the tool asked for, too.
      takeRoundAnswer(call, answer);
    } else if (!step) {
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
    } else if (step.is === 'rerun' || step.is === 'respond') {
      call.phase = call.answer ? { is: 'answered', answer: call.answer } : { is: 'cleared' };
    } else {
      call.hold += 1;
      if (open.request.kind === 'approval') call.approved = true;
      if (step.edited) Object.assign(call, { edited: step.edited, recheck: true });
      call.phase = { is: 'new' };
    }
  }
  if (!vote && via !== 'cancel') forwardAnswer(run, open, answer);
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
    ...(answer.channel !== undefined && { channel: answer.channel }),
    via,
    ...decided,
    ...(isOverdue(open, now) && !NOBODYS.includes(via) && { late: true }),
  };
  if (decided.allCallsOf !== undefined) grant(run, answer, open, decided.allCallsOf, receipt.at);
  run.receipts.push({ receipt, fingerprint: answerFingerprint(answer), turn: run.turn });
  if (answer.answerId !== undefined)
    run.rejections = run.rejections.filter((rejection) => rejection.answerId !== answer.answerId);
  return receipt;
}

/** The call goes on when nothing of its round is open. What is no sub-agent's has a round. */
function takeRoundAnswer(call: CallState, answer: Answer): void {
  const { [answer.id]: key, ...asked } = call.round?.asked ?? {};
  // With a no nothing else is looked at (R25), so that nothing else was checked either.
  const said = answer.ok ? answer : without(answer, 'data');
  if (call.round && key !== undefined)
    call.round = { ...call.round, asked, answers: { ...call.round.answers, [key]: said } };
  const [next] = Object.keys(asked);
  call.phase = next === undefined ? { is: 'cleared' } : { is: 'waiting', requestId: next, purpose: 'round' };
}

/** Where a tool would give the result, somebody may: that is no approval, and no other answer either. */
function isSupplied({ ok, data }: Answer, kind: string): boolean {
  return ok && (kind === 'approval' || kind === 'reconcile') && typeof data?.['output'] === 'string';
}

/** What a receipt says of the decision itself: about which arguments, what was edited, for which calls. */
function decisionOf(answer: Answer, { request }: OpenRequest, steps: AnswerSteps) {
  const { digest, tool } = request.kind === 'approval' ? (request.data ?? {}) : {};
  const as = entitledAs(request.policy, answer);
  const edited = [...steps.values()].find((step) => step.is === 'pass')?.edited;
  return {
    ...(as !== undefined && { as }),
    ...(typeof digest === 'string' && { digest }),
    ...(edited && { edited: inputDigest(edited) }),
    ...(isSupplied(answer, request.kind) && { supplied: true as const }),
    ...(answer.ok && answer.data?.['allCalls'] === true && typeof tool === 'string' && { allCallsOf: tool }),
  };
}

/** One approval of several. With an edit those who follow decide on the edit, and what others approved is void. */
function castVote(run: RunState, answer: Answer, open: OpenRequest, steps: AnswerSteps, now: number): void {
  let votes = open.request.policy?.votes ?? [];
  for (const [call, step] of steps) {
    if (step.is !== 'pass' || !step.edited) continue;
    votes = [];
    voidVotes(run, answer.id);
    Object.assign(call, { edited: step.edited, recheck: true });
    open.request = aboutInput(open.request, call.name, step.edited);
  }
  const vote = { by: answer.by ?? '', at: new Date(now).toISOString() };
  open.request = { ...open.request, policy: { ...open.request.policy, votes: [...votes, vote] } };
}

/** Nothing else leaves an approval of an open request with a receipt. */
function voidVotes(run: RunState, requestId: string): void {
  run.receipts = run.receipts.map((record) =>
    record.receipt.requestId === requestId
      ? { ...record, receipt: { ...record.receipt, voided: true } }
      : record,
  );
}

/** Given for a sub-agent it is applied there, and stands here so that it can be seen and taken back. */
function grant(
  run: RunState,
  { id, by, roles }: Answer,
  { guest, request }: OpenRequest,
  tool: string,
  at: string,
): void {
  const given: Grant = {
    tool,
    requestId: id,
    ...(guest && {
      path: request.path ?? [],
      below: { childId: guest.childId, requestId: guest.requestId },
    }),
    ...(by !== undefined && { by }),
    ...(roles && { roles }),
    at,
  };
  run.grants = [...(run.grants ?? []), given];
}
