import type { Client } from '@modelcontextprotocol/client';
import { isRecord, type JsonObject } from '../../agent/json';
import { boundedProblem } from '../bounded-problem';

/** What is said to a form that a server shows: its values, a no, or nothing. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: JsonObject }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/**
 * Answers a form that a server of an earlier revision shows in the middle of a call: takes its `params`, `{message,
 * requestedSchema}`. `signal` aborts when the server no longer waits, or the time is over.
 */
export type LegacyElicitation = (params: JsonObject, signal: AbortSignal) => Promise<FormAnswer>;

/** What such a server is told that it may do. Without a mode these are forms. */
export const LEGACY_CAPABILITIES: JsonObject = { elicitation: {} };

const CANCEL: FormAnswer = { action: 'cancel' };

/**
 * Lets a function answer what a server asks while its call is open. The server waits, and so does the call: after
 * `timeoutMs`, and with whatever else is no answer to the form, it is told that nobody answered.
 */
export function answerForms(client: Client, elicitation: LegacyElicitation, timeoutMs: number): void {
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    const asked = JSON.parse(JSON.stringify(params)) as JsonObject;
    const over = AbortSignal.timeout(timeoutMs);
    const answer = await answerTo(asked, elicitation, AbortSignal.any([over, mcpReq.signal]));
    return answer as { action: 'cancel' };
  });
}

async function answerTo(
  params: JsonObject,
  elicitation: LegacyElicitation,
  signal: AbortSignal,
): Promise<FormAnswer> {
  // An address would have to be shown to a person, and nobody knows whose run this is.
  const isForm = params['mode'] === undefined || params['mode'] === 'form';
  if (!isForm || signal.aborted) return CANCEL;
  const gone = new Promise<FormAnswer>((resolve) => {
    signal.addEventListener('abort', () => resolve(CANCEL), { once: true });
  });
  try {
    return checked(params, await Promise.race([elicitation(params, signal), gone]));
  } catch {
    // Nobody has said no.
    return CANCEL;
  }
}

function checked({ requestedSchema }: JsonObject, answer: unknown): FormAnswer {
  const { action, content } = isRecord(answer) ? answer : {};
  if (action === 'decline') return { action };
  if (action !== 'accept' || !isRecord(content) || !isRecord(requestedSchema)) return CANCEL;
  const values = content as JsonObject;
  const fits = boundedProblem(requestedSchema, values) === undefined;
  return fits ? { action, content: values } : CANCEL;
}
