import type { Answer } from '../agent/answer';
import { isRecord, parseJson, type Json, type JsonObject } from '../agent/json';
import { INPUT_KIND, QUESTION_KIND } from '../agent/question';
import { answerDeclined, answerOutput, relayAnswer, type RelayResult } from '../agent/relay';
import { tallyOf } from '../agent/policy';
import { askForm } from './ask-form';
import type { PickedRequest } from './pick-request';
import type { Style } from './style';
import type { TerminalPrompt } from './terminal-prompt';
import { visibleJson, visibleLine } from '../agent/visible-text';

/** The request that is answered. */
type Subject = Required<PickedRequest>;

/** One thing that can be said to a request: the key to press, its words, and what it makes. */
interface Offer {
  readonly key: string;
  readonly label: string;
  readonly make: (prompt: TerminalPrompt, subject: Subject) => Promise<Answer | undefined>;
}

const APPROVE: Offer = { key: 'a', label: '[a]pprove', make: yes };
const EDIT: Offer = {
  key: 'e',
  label: '[e]dit the arguments',
  make: (prompt, subject) => edit(prompt, subject),
};
const RESULT: Offer = { key: 'r', label: 'give the [r]esult', make: result };
const JSON_DATA: Offer = {
  key: 'j',
  label: 'answer with [j]son',
  make: (prompt, subject) => withData(prompt, subject),
};
const FORM: Offer = {
  key: 'f',
  label: '[f]ill in the form',
  make: (prompt, subject) => fill(prompt, subject),
};
const AGAIN: Offer = { key: 'l', label: '[l]et it run again', make: again };
const DECLINE: Offer = { key: 'd', label: '[d]ecline', make: decline };
const QUIT: Offer = { key: 'q', label: '[q]uit', make: async () => undefined };

/** For a request of which nobody knows what it takes. */
const OPEN: readonly Offer[] = [
  { ...RESULT, label: '[r]eply with a text' },
  JSON_DATA,
  { ...APPROVE, label: '[a]gree' },
];

function offersFor({ kind, data, policy }: Subject['request']): readonly Offer[] {
  switch (kind) {
    case QUESTION_KIND:
    case INPUT_KIND:
      if (data?.['asks'] === 'form') return [FORM];
      return data?.['asks'] === undefined ? OPEN : [{ ...RESULT, label: '[r]eply with a text' }];
    case 'approval':
      // Several people cannot agree on a text that one of them makes up.
      return tallyOf(policy) ? [APPROVE, EDIT] : [APPROVE, EDIT, RESULT];
    case 'tool_call':
      return [RESULT];
    case 'reconcile':
      return [RESULT, AGAIN];
    case 'authorization':
      return [{ ...APPROVE, label: '[a]uthorized: go on' }];
    default:
      return OPEN;
  }
}

/** What somebody at the terminal says to a request; `undefined` to leave it open. */
export async function askPerson(
  prompt: TerminalPrompt,
  subject: Subject,
  style: Style,
): Promise<Answer | undefined> {
  const offers = [...offersFor(subject.request), DECLINE, QUIT];
  const menu = offers.map(({ label }) => label.replace(/\[(.)\]/, `[${style.bold('$1')}]`)).join(', ');
  for (;;) {
    const reply = (await prompt.ask(`${menu}: `)).trim();
    const chosen = offers.find((offer) => isMeant(offer, reply.toLowerCase()));
    if (chosen) return chosen.make(prompt, subject);
    prompt.say(keysText(offers, reply));
  }
}

/** Asks once more for what did not fit, from what was typed; for a result, from the menu. */
export async function askAgain(
  prompt: TerminalPrompt,
  subject: Subject,
  { data = {} }: Answer,
  style: Style,
): Promise<Answer | undefined> {
  const { kind } = subject.request;
  if (kind === 'approval' && data['input'] !== undefined) return edit(prompt, subject, data['input']);
  if (data['content'] !== undefined) return fill(prompt, subject, data['content']);
  const isText = data['output'] !== undefined || data['results'] !== undefined;
  return isText || Object.keys(data).length === 0
    ? askPerson(prompt, subject, style)
    : withData(prompt, subject, visibleJson(data));
}

/** A key, or the beginning of its word: a text that merely begins with the letter is meant as something else. */
function isMeant({ label }: Offer, reply: string): boolean {
  const [, key = '', rest = ''] = /\[(.)\](\w*)/.exec(label) ?? [];
  return reply !== '' && (key + rest).startsWith(reply);
}

/** A result that was typed here is a common mistake: say where it goes. */
function keysText(offers: readonly Offer[], reply: string): string {
  const keys = offers.map(({ key, label }) => `  ${key}  ${label.replace(/[[\]]/g, '')}`);
  const what = reply === '' ? '' : `${JSON.stringify(visibleLine(reply))} is none of these. `;
  return `${what}First one of these letters, then Enter; texts and results are asked for after it:\n${keys.join('\n')}`;
}

async function yes(_: TerminalPrompt, { id, request }: Subject): Promise<Answer> {
  return { id, ok: true, ...seen(request) };
}

/** What was on the terminal: when the arguments have changed since, the run refuses. */
function seen({ kind, data }: Subject['request']): Pick<Answer, 'data'> {
  const digest = kind === 'approval' ? data?.['digest'] : undefined;
  return typeof digest === 'string' ? { data: { digest } } : {};
}

/** The arguments stand there as JSON on one line, to be changed in place. */
async function edit(prompt: TerminalPrompt, { id, request }: Subject, typed?: Json): Promise<Answer> {
  const start = typed ?? request.data?.['input'] ?? {};
  const input = await jsonObject(prompt, 'Arguments: ', visibleJson(start));
  return { id, ok: true, data: { input, ...seen(request).data } };
}

async function withData(prompt: TerminalPrompt, { id }: Subject, typed = ''): Promise<Answer> {
  return { id, ok: true, data: await jsonObject(prompt, 'Data, as a JSON object: ', typed) };
}

async function fill(prompt: TerminalPrompt, { id, request }: Subject, typed?: Json): Promise<Answer> {
  const before = isRecord(typed) ? typed : {};
  const whole = typed === undefined ? '' : visibleJson(typed);
  const content =
    (await askForm(prompt, request.data?.['form'], before)) ??
    (await jsonObject(prompt, 'The form, as a JSON object: ', whole));
  return { id, ok: true, data: { content } };
}

async function again(_: TerminalPrompt, { id }: Subject): Promise<Answer> {
  return { id, ok: true, data: { rerun: true } };
}

async function decline(prompt: TerminalPrompt, { id }: Subject): Promise<Answer> {
  return answerDeclined(id, (await prompt.ask('Reason (may be empty): ')).trim());
}

async function result(prompt: TerminalPrompt, subject: Subject): Promise<Answer | undefined> {
  const { id: requestId, calls } = subject;
  if (calls.length < 2) return answerOutput(requestId, await prompt.ask('Result: '));
  const results: RelayResult[] = [];
  for (const { id, name } of calls) {
    const question = `Result of ${visibleLine(name)}, call ${visibleLine(id)} (empty leaves it open): `;
    const output = await prompt.ask(question);
    if (output !== '') results.push({ id, output });
  }
  return results.length === 0 ? undefined : relayAnswer(requestId, results);
}

async function jsonObject(prompt: TerminalPrompt, question: string, start: string): Promise<JsonObject> {
  for (let text = start; ;) {
    text = await prompt.ask(question, text);
    const value = parseJson(text);
    if (isRecord(value)) return value;
    prompt.say('That is not a JSON object. Change it, or leave with Ctrl-C.');
  }
}
