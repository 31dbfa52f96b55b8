/** The ways into a run: answers with their bookkeeping, deadlines, messages. */
import { MAX_CHANNEL_LENGTH, MAX_ID_LENGTH, parseAnswer, type Answer } from './answer';
import { applyVerdict, judgeAnswer, type JudgeOptions, type Verdict } from './answers';
import { cutText } from './cut-text';
import { applyGrants } from './grants';
import type { HoldpointError } from './errors';
import { toErrorInfo, type ErrorInfo } from './errors';
import { isRecord, jsonSize } from './json';
import type { UserMessage } from './message';
import { parseInstant } from './instant';
import { deadlineOf } from './open-request';
import type { AnswerVia, Receipt } from './receipt';
import { malformed, quote } from './refusal';
import type { OpenRequest, RunState, Sized } from './run-state';

const MAX_REJECTIONS = 50;
/** More only where a sender chose huge names, of keys or calls, for a refusal to name. */
const MAX_REJECTION_BYTES = 4_000;
const MAX_HELD = 64;
const MAX_HELD_BYTES = 256_000;
const MAX_INBOX = 100;
/**
 * The server takes 2 MB in one message, also in a query's result, and no more when a run continues as new.
 * What is to be kept must leave room for the rest.
 */
export const MAX_INPUT_BYTES = 1_572_864;
/** With what the messages of an input are wrapped in. */
const MAX_WAITING_BYTES = MAX_INPUT_BYTES + 10_000;

export type Acceptance =
  | { readonly ok: true; readonly receipt: Receipt; readonly repeat?: true }
  | { readonly ok: false; readonly error: HoldpointError };

export interface AcceptOptions extends JudgeOptions {
  readonly via: AnswerVia;
}

/** Accepts an answer or says why not. A refusal leaves the run untouched (R24). */
export function acceptAnswer(run: RunState, raw: unknown, options: AcceptOptions): Acceptance {
  return carryOut(run, judgeAnswer(run, raw, options), options);
}

/** Accepts what the worker's host says to the one request that it was asked about (R32). */
export function acceptHostAnswer(
  run: RunState,
  requestId: string,
  raw: unknown,
  options: Omit<AcceptOptions, 'via'>,
): Acceptance {
  const parsed = parseAnswer(raw);
  // Its other requests have hosts of their own, who are still being asked.
  if (parsed.ok && parsed.answer.id !== requestId)
    return {
      ok: false,
      error: malformed(
        parsed.answer,
        `\`waitFor\` was asked about request ${quote(requestId)}. Answer with the id of the request that it is given.`,
      ),
    };
  return acceptAnswer(run, raw, { ...options, via: 'waitFor' });
}

function carryOut(run: RunState, verdict: Verdict, options: AcceptOptions): Acceptance {
  switch (verdict.is) {
    case 'repeat':
      return { ok: true, receipt: verdict.receipt, repeat: true };
    case 'refuse':
      return { ok: false, error: verdict.error };
    case 'accept': {
      // An answer is an input from outside: the turn limit counts anew (R36).
      run.turnsSinceInput = 0;
      const receipt = applyVerdict(run, verdict, options);
      applyGrants(run, options.now);
      return { ok: true, receipt };
    }
  }
}

/**
 * An answer by signal: nobody hears a refusal, so it is kept in a bounded list. While the run is not
 * halted an answer to a request that does not exist yet is held until it opens (R30). True when it was accepted,
 * and the run has something to do.
 */
export function receiveAnswer(run: RunState, raw: unknown, options: AcceptOptions): boolean {
  const verdict = judgeAnswer(run, raw, options);
  if (verdict.is === 'refuse' && verdict.early && verdict.answer && run.status === 'running') {
    run.held.push({ value: verdict.answer, bytes: jsonSize(verdict.answer) });
    while (run.held.length > MAX_HELD || bytesOf(run.held) > MAX_HELD_BYTES) refuseHeld(run, options.now, 1);
    return false;
  }
  if (verdict.is === 'refuse') {
    rejectAnswer(run, raw, verdict.error, options.now);
    return false;
  }
  carryOut(run, verdict, options);
  return verdict.is === 'accept';
}

function bytesOf(waiting: readonly Sized<unknown>[]): number {
  return waiting.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Keeps a refusal where `state()` shows it, without any value of the answer's data (R30). */
export function rejectAnswer(
  run: Pick<RunState, 'rejections'>,
  raw: unknown,
  error: HoldpointError,
  now: number,
): void {
  keepRejection(run, raw, toErrorInfo(error), now);
}

function keepRejection(run: Pick<RunState, 'rejections'>, raw: unknown, error: ErrorInfo, now: number): void {
  const { id, answerId, by, channel } = isRecord(raw) ? raw : {};
  run.rejections.push({
    ...(typeof id === 'string' && { requestId: cutText(id, MAX_ID_LENGTH) }),
    ...(typeof answerId === 'string' && { answerId: cutText(answerId, MAX_ID_LENGTH) }),
    ...(typeof by === 'string' && { by: cutText(by, MAX_ID_LENGTH) }),
    ...(typeof channel === 'string' && { channel: cutText(channel, MAX_CHANNEL_LENGTH) }),
    error: toBoundedError(error),
    at: new Date(now).toISOString(),
  });
  run.rejections = run.rejections.slice(-MAX_REJECTIONS);
}

/** Keeps an attempt that whoever takes answers in refused: the record shows it beside the run's own refusals. */
export function noteRefusal(run: Pick<RunState, 'rejections'>, raw: unknown, now: number): void {
  if (!isRecord(raw)) return;
  const { requestId, error } = raw;
  const { type, message } = isRecord(error) ? error : {};
  const info = {
    type: typeof type === 'string' ? cutText(type, 100) : 'Holdpoint.Answer.Malformed',
    message: typeof message === 'string' ? message : 'An answer was refused.',
  };
  keepRejection(run, { ...raw, id: requestId }, info, now);
}

function toBoundedError(info: ErrorInfo): ErrorInfo {
  if (jsonSize(info) <= MAX_REJECTION_BYTES) return info;
  return { type: info.type, message: cutText(info.message, MAX_REJECTION_BYTES / 8) };
}

/** A request has opened: the answers that were there before it are judged now, in their order (R30). */
export function deliverHeld(run: RunState, requestId: string, options: JudgeOptions): void {
  const due = run.held.filter(({ value }) => value.id === requestId);
  run.held = run.held.filter(({ value }) => value.id !== requestId);
  for (const { value: answer } of due) {
    const accepted = acceptAnswer(run, answer, { ...options, via: 'signal' });
    if (!accepted.ok) rejectAnswer(run, answer, accepted.error, options.now);
  }
}

/** At the halt and at the end nothing more can open by itself: what is still held was wrong (R30). */
export function refuseHeld(run: RunState, now: number, count = run.held.length): void {
  for (const { value: answer } of run.held.splice(0, count)) {
    const verdict = judgeAnswer(run, answer, { now });
    if (verdict.is === 'refuse') rejectAnswer(run, answer, verdict.error, now);
  }
}

/** A step of a request's policy that its time brought. */
export interface PolicyStep {
  readonly is: 'reminder' | 'escalation';
  readonly open: OpenRequest;
}

/** Carries out the reminders and escalations whose time has come. They change who may answer, never the answer. */
export function advancePolicies(run: RunState, now: number): PolicyStep[] {
  const at = new Date(now).toISOString();
  const due = (instant: string | undefined, done: string | undefined): boolean =>
    instant !== undefined && done === undefined && (parseInstant(instant) ?? Infinity) <= now;
  return run.requests.flatMap((open) => {
    const { policy } = open.request;
    if (!policy) return [];
    const reminds = due(policy.remindAt, policy.remindedAt);
    const escalates = due(policy.escalateAt, policy.escalatedAt);
    if (!reminds && !escalates) return [];
    const done = { ...(reminds && { remindedAt: at }), ...(escalates && { escalatedAt: at }) };
    open.request = { ...open.request, policy: { ...policy, ...done } };
    return [
      ...(reminds ? [{ is: 'reminder' as const, open }] : []),
      ...(escalates ? [{ is: 'escalation' as const, open }] : []),
    ];
  });
}

/** Declines every request whose deadline has come (R31), and gives them. */
export function expireRequests(run: RunState, now: number): OpenRequest[] {
  const due = run.requests.filter((open) => (deadlineOf(open) ?? Infinity) <= now);
  for (const open of due) closeRequest(run, open.request.id, 'expired', 'expiry', now);
  return due;
}

/** Declines all open requests: the run ends, or its conversation moves on (R34, R40). */
export function closeRequests(run: RunState, reason: string, via: AnswerVia, now: number): void {
  for (const { request } of [...run.requests]) closeRequest(run, request.id, reason, via, now);
}

function closeRequest(run: RunState, id: string, reason: string, via: AnswerVia, now: number): void {
  const open = run.requests.find((entry) => entry.request.id === id);
  const answer: Answer = { id, ok: false, reason };
  if (open) applyVerdict(run, { is: 'accept', answer, open, steps: new Map() }, { now, via });
}

/** Reads a message from anything a sender may have put on the wire; `undefined` when it is none. */
export function toUserMessage(raw: unknown): UserMessage | undefined {
  if (typeof raw === 'string') return { role: 'user', content: raw };
  if (!isRecord(raw) || raw['role'] !== 'user') return undefined;
  const { content } = raw;
  if (typeof content === 'string') return { role: 'user', content };
  if (!Array.isArray(content) || !content.every(isRecord)) return undefined;
  return { role: 'user', content: content as UserMessage['content'] };
}

/** Whether so many messages can wait at the same time. */
export function fitsTogether(waiting: readonly unknown[]): boolean {
  return jsonSize(waiting) <= MAX_WAITING_BYTES;
}

/** Queues a message for the end of the turn at hand (R41). Says why not, where it is not taken. */
export function receiveMessage(run: RunState, raw: unknown): string | undefined {
  if (run.endedAt !== undefined)
    return `The run has ended as ${run.status}. Go on from it with \`continue\`.`;
  if (run.inbox.length >= MAX_INBOX)
    return `${MAX_INBOX} messages wait already. Send it again when the run has taken them.`;
  const message = toUserMessage(raw);
  if (!message) return "Expected a text or a message {role: 'user', content}.";
  const bytes = jsonSize(message);
  if (bytesOf(run.inbox) + bytes > MAX_WAITING_BYTES)
    return `Messages of ${MAX_INPUT_BYTES} bytes wait at most, and this one has ${bytes}. Pass a reference, or send it again when the run has taken the others.`;
  run.inbox.push({ value: message, bytes });
  return undefined;
}
