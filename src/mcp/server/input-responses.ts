import { isRecord, type Json } from '../../agent/json';
import { schemaProblem } from '../../agent/json-schema';
import type { InputRequest, InputRequests } from '../input-request';

/** The responses to a round, by the keys of its requests. */
export type InputResponses = Readonly<Record<string, Json>>;

/**
 * The responses to exactly the requests of a round; undefined when one is missing or is none to its request,
 * so that the round has to be asked again. Keys that nobody asked for are left out.
 */
export function responsesTo(requests: InputRequests, given: unknown): InputResponses | undefined {
  if (!isRecord(given)) return undefined;
  const taken: Record<string, Json> = {};
  for (const [key, request] of Object.entries(requests)) {
    const response = Object.hasOwn(given, key) ? given[key] : undefined;
    if (!isRecord(response) || !answers(request, response)) return undefined;
    taken[key] = response as Json;
  }
  return taken;
}

function answers({ method, params }: InputRequest, response: Record<string, unknown>): boolean {
  if (method === 'roots') return Array.isArray(response['roots']);
  if (method === 'sampling') return typeof response['role'] === 'string' && response['content'] !== undefined;
  const { action, content } = response;
  if (action === 'decline' || action === 'cancel') return true;
  if (action !== 'accept') return false;
  const { requestedSchema } = params;
  // One that sends the person elsewhere asks for no content.
  if (!isRecord(requestedSchema)) return true;
  return isRecord(content) && schemaProblem(requestedSchema, content as Json) === undefined;
}
