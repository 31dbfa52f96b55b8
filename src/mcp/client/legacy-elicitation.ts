import type { Client } from '@modelcontextprotocol/client';
import { cutText } from '../../agent/cut-text';
import { isRecord, type JsonObject } from '../../agent/json';
import { visibleLine } from '../../agent/visible-text';
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

/** How the function is asked. */
export interface FormRules {
  /** Milliseconds that it has for one form. */
  readonly timeoutMs: number;
  /** Told why what it gave was no answer. */
  readonly report: (problem: Error) => void;
}

/**
 * Lets a function answer what a server asks while its call is open. The server waits, and so does the call: after
 * `timeoutMs`, and with whatever else is no answer to the form, it is told that nobody answered.
 */
export function answerForms(client: Client, elicitation: LegacyElicitation, rules: FormRules): void {
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    const asked = JSON.parse(JSON.stringify(params)) as JsonObject;
    const answer = await answerTo(asked, elicitation, mcpReq.signal, rules);
    return answer as { action: 'cancel' };
  });
}

async function answerTo(
  params: JsonObject,
  elicitation: LegacyElicitation,
  gone: AbortSignal,
  { timeoutMs, report }: FormRules,
): Promise<FormAnswer> {
  const cancel = (why: string, options?: ErrorOptions): FormAnswer => {
    // The server is told the same, whoever listens.
    report(new Error(`"${questionOf(params)}" was answered with \`cancel\`: ${why}`, options));
    return CANCEL;
  };
  // An address would have to be shown to a person, and nobody knows whose run this is.
  if (params['mode'] !== undefined && params['mode'] !== 'form')
    return cancel('it is no form, and nothing else is passed to `legacyElicitation`.');
  const over = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([over, gone]);
  if (signal.aborted) return CANCEL;
  const ended = new Promise<'ended'>((resolve) => {
    signal.addEventListener('abort', () => resolve('ended'), { once: true });
  });
  try {
    const answer = await Promise.race([elicitation(params, signal), ended]);
    if (answer === 'ended')
      return over.aborted ? cancel(`\`legacyElicitation\` took longer than ${timeoutMs} ms.`) : CANCEL;
    const problem = problemOf(params, answer);
    return problem === undefined ? toFormAnswer(answer) : cancel(problem);
  } catch (error) {
    // Nobody has said no.
    return cancel('`legacyElicitation` threw.', { cause: error });
  }
}

function problemOf({ requestedSchema }: JsonObject, answer: unknown): string | undefined {
  const { action, content } = isRecord(answer) ? answer : {};
  if (action === 'decline' || action === 'cancel') return undefined;
  if (action !== 'accept') return '`legacyElicitation` gave no `action` of accept, decline or cancel.';
  if (!isRecord(content)) return '`legacyElicitation` accepted without `content`.';
  if (!isRecord(requestedSchema)) return 'its form has no schema.';
  const problem = boundedProblem(requestedSchema, content as JsonObject);
  return problem === undefined ? undefined : `the content does not fit the form: ${problem}`;
}

function toFormAnswer(answer: FormAnswer): FormAnswer {
  if (answer.action === 'accept') return { action: 'accept', content: answer.content };
  return answer.action === 'decline' ? { action: 'decline' } : CANCEL;
}

/** Characters of what a server asked, as they are reported. */
const MAX_ASKED = 200;

function questionOf({ message }: JsonObject): string {
  return visibleLine(cutText(typeof message === 'string' ? message : '', MAX_ASKED));
}
