import { isRecord, type Json } from '../../agent/json';
import { boundedProblem } from '../bounded-problem';
import type { InputRequest, InputRequests } from '../input-request';

/** The responses to a round, by the keys of its requests. */
export type InputResponses = Readonly<Record<string, Json>>;

/** A response that answers its request, or the sentence that says why it does not. */
export type TakenResponse =
  { readonly ok: true; readonly response: Json } | { readonly ok: false; readonly problem: string };

/** The responses to a round; or why it has to be asked again, by the keys of what was not answered. */
export type TakenRound =
  | { readonly ok: true; readonly responses: InputResponses }
  | { readonly ok: false; readonly reasons: ReadonlyMap<string, string> };

/** The responses to exactly the requests of a round. Keys that nobody asked for are left out. */
export function responsesTo(requests: InputRequests, given: unknown): TakenRound {
  const taken: [string, Json][] = [];
  const reasons = new Map<string, string>();
  for (const [key, request] of Object.entries(requests)) {
    const one = responseTo(request, isRecord(given) && Object.hasOwn(given, key) ? given[key] : undefined);
    if (one.ok) taken.push([key, one.response]);
    else reasons.set(key, one.problem);
  }
  return reasons.size > 0 ? { ok: false, reasons } : { ok: true, responses: Object.fromEntries(taken) };
}

/**
 * Reads a response to one request. A form's content is checked in a time that its sender cannot stretch: what an
 * expression in the form says is the handler's to check.
 */
export function responseTo({ method, params }: InputRequest, given: unknown): TakenResponse {
  if (given === undefined) return { ok: false, problem: 'No answer has come to this.' };
  if (!isRecord(given)) return { ok: false, problem: 'The answer to this was no object.' };
  const response = given as Json;
  const taken: TakenResponse = { ok: true, response };
  if (method === 'roots')
    return Array.isArray(given['roots']) ? taken : { ok: false, problem: 'The answer has no list of roots.' };
  if (method === 'sampling')
    return typeof given['role'] === 'string' && given['content'] !== undefined
      ? taken
      : { ok: false, problem: 'The answer is no message of a model.' };
  const { action, content } = given;
  if (action === 'decline' || action === 'cancel') return taken;
  if (action !== 'accept')
    return { ok: false, problem: 'The answer has no `action` of accept, decline or cancel.' };
  const { requestedSchema } = params;
  // One that sends the person elsewhere asks for no content.
  if (!isRecord(requestedSchema)) return taken;
  if (!isRecord(content)) return { ok: false, problem: 'The answer has no content.' };
  const problem = boundedProblem(requestedSchema, content as Json);
  return problem === undefined ? taken : { ok: false, problem: `The answer does not fit: ${problem}` };
}
