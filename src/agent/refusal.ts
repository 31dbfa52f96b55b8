/** The typed refusals of answers. Each says what was refused, why, and what to do (R24, R30). */
import type { Answer } from './answer';
import { cutText } from './cut-text';
import { HoldpointError } from './errors';
import type { JsonObject } from './json';
import { visibleJson } from './visible-text';

export function malformed(answer: Answer, problem: string): HoldpointError {
  return refusal('Holdpoint.Answer.Malformed', answer, framed(answer, problem));
}

export function invalid(answer: Answer, problem: string): HoldpointError {
  return refusal(
    'Holdpoint.Answer.Invalid',
    answer,
    framed(answer, `${problem} Correct it and answer again.`),
  );
}

export function unknownCall(answer: Answer, callId: string): HoldpointError {
  return refusal(
    'Holdpoint.Answer.UnknownCall',
    answer,
    framed(answer, `The request has no call ${quote(callId)}. Take the ids from \`relayCallsOf(request)\`.`),
    { callId },
  );
}

export function settledCall(answer: Answer, callId: string): HoldpointError {
  return refusal(
    'Holdpoint.Answer.AlreadyAnswered',
    answer,
    framed(
      answer,
      `Call ${quote(callId)} has its result already, and the first one stands. Leave that call out.`,
    ),
    { callId },
  );
}

/** What happened to which answer, why, and that nothing came of it. */
export function framed(answer: Answer, problem: string): string {
  return `The answer to request ${quote(answer.id)} was refused. ${problem} Nothing was changed.`;
}

/** Every refusal names the request, the answer and the data's keys, never a value of it (R11). */
export function refusal(
  type: HoldpointError['type'],
  answer: Answer,
  message: string,
  data: JsonObject = {},
): HoldpointError {
  return new HoldpointError(type, message, {
    requestId: answer.id,
    ...(answer.answerId !== undefined && { answerId: answer.answerId }),
    ...(answer.data && { dataKeys: keysOf(answer.data) }),
    ...data,
  });
}

/** A sender may have chosen sixty thousand of them. */
function keysOf(data: JsonObject): string[] {
  return Object.keys(data)
    .slice(0, 50)
    .map((key) => cutText(key, 120));
}

export function quote(id: string): string {
  return visibleJson(cutText(id, 120));
}
