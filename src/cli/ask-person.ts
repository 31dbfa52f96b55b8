import type { Answer } from '../agent/answer';
import { isRecord, parseJson, type JsonObject } from '../agent/json';
import { answerDeclined, answerOutput, relayAnswer, type RelayResult } from '../agent/relay';
import type { PickedRequest } from './pick-request';
import type { Style } from './style';
import type { TerminalPrompt } from './terminal-prompt';
import { visibleJson, visibleLine } from './visible-text';

/** The request that is answered. */
type Subject = Required<PickedRequest>;

/** One thing that can be said to a request: the key to press, its words, and what it makes. */
interface Offer {
  readonly key: string;
  readonly label: string;
  readonly make: (prompt: TerminalPrompt, subject: Subject) => Promise<Answer | undefined>;
}

const APPROVE: Offer = { key: 'a', label: '[a]pprove', make: yes };
const EDIT: Offer = { key: 'e', label: '[e]dit the arguments', make: edit };
const RESULT: Offer = { key: 'r', label: 'give the [r]esult', make: result };
const JSON_DATA: Offer = { key: 'j', label: 'answer with [j]son', make: withData };
const AGAIN: Offer = { key: 'l', label: '[l]et it run again', make: again };
const DECLINE: Offer = { key: 'd', label: '[d]ecline', make: decline };
const QUIT: Offer = { key: 'q', label: '[q]uit', make: async () => undefined };

function offersFor(kind: string): readonly Offer[] {
  switch (kind) {
    case 'approval':
      return [APPROVE, EDIT, RESULT];
    case 'tool_call':
      return [RESULT];
    case 'reconcile':
      return [RESULT, AGAIN];
    case 'authorization':
      return [{ ...APPROVE, label: '[a]uthorized: go on' }];
    default:
      return [{ ...RESULT, label: '[r]eply with a text' }, JSON_DATA, { ...APPROVE, label: '[a]gree' }];
  }
}

/** What somebody at the terminal says to a request; `undefined` to leave it open. */
export async function askPerson(
  prompt: TerminalPrompt,
  subject: Subject,
  style: Style,
): Promise<Answer | undefined> {
  const offers = [...offersFor(subject.request.kind), DECLINE, QUIT];
  const menu = offers.map(({ label }) => label.replace(/\[(.)\]/, `[${style.bold('$1')}]`)).join(', ');
  for (;;) {
    const reply = (await prompt.ask(`${menu}: `)).trim().toLowerCase();
    const chosen = offers.find(({ key }) => reply.startsWith(key));
    if (chosen) return chosen.make(prompt, subject);
  }
}

async function yes(_: TerminalPrompt, { id }: Subject): Promise<Answer> {
  return { id, ok: true };
}

/** The arguments stand there as JSON on one line, to be changed in place. */
async function edit(prompt: TerminalPrompt, { id, request }: Subject): Promise<Answer> {
  const input = await jsonObject(prompt, 'Arguments: ', visibleJson(request.data?.['input'] ?? {}));
  return { id, ok: true, data: { input } };
}

async function withData(prompt: TerminalPrompt, { id }: Subject): Promise<Answer> {
  return { id, ok: true, data: await jsonObject(prompt, 'Data, as a JSON object: ', '') };
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
    await prompt.ask('That is not a JSON object. Enter goes back to it. ');
  }
}
