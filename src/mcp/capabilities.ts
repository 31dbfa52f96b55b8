import { isRecord, type JsonObject } from '../agent/json';
import type { InputRequest, InputRequests } from './input-request';

/** A capability counts as declared only when it is an object: `true` or a list is none. */
export function declares(capabilities: unknown, name: string): boolean {
  return isRecord(capabilities) && Object.hasOwn(capabilities, name) && isRecord(capabilities[name]);
}

/** What of `required` a client lacks, in the form that the error -32021 tells it; undefined when nothing. */
export function missingCapabilities(
  required: readonly string[],
  capabilities: unknown,
): JsonObject | undefined {
  const missing = required.filter((name) => !declares(capabilities, name));
  return missing.length > 0 ? Object.fromEntries(missing.map((name) => [name, {}])) : undefined;
}

/** The requests of a round that a client can answer, or what it lacks when it can answer none. */
export type Offer =
  | { readonly ok: true; readonly requests: InputRequests }
  | { readonly ok: false; readonly requiredCapabilities: JsonObject };

/** Leaves out the requests that the client did not declare to answer. */
export function offerTo(requests: InputRequests, capabilities: unknown): Offer {
  const all = Object.entries(requests);
  const answerable = all.filter(([, request]) => isAnswerable(request, capabilities));
  if (answerable.length > 0 || all.length === 0)
    return { ok: true, requests: Object.fromEntries(answerable) };
  const requiredCapabilities: Record<string, JsonObject> = {};
  for (const [, { method, params }] of all)
    requiredCapabilities[method] = {
      ...requiredCapabilities[method],
      ...(method === 'elicitation' && params['mode'] === 'url' && { url: {} }),
    };
  return { ok: false, requiredCapabilities };
}

function isAnswerable({ method, params }: InputRequest, capabilities: unknown): boolean {
  if (!isRecord(capabilities) || !declares(capabilities, method)) return false;
  if (method !== 'elicitation') return true;
  const { mode = 'form', url } = params;
  if (mode === 'url') return typeof url === 'string' && declares(capabilities['elicitation'], 'url');
  // A later revision's, which nobody here can show.
  if (mode !== 'form') return false;
  // A client that names no mode takes forms.
  return declares(capabilities['elicitation'], 'form') || !declares(capabilities['elicitation'], 'url');
}
