import { isRecord, type Json, type JsonObject } from '../agent/json';
import { visibleLine } from '../agent/visible-text';
import type { TerminalPrompt } from './terminal-prompt';

/** What asks, and says what was wrong. */
type Prompt = Pick<TerminalPrompt, 'ask' | 'say'>;

/** One field of a form. `undefined` of `read` for what does not fit it. */
interface Field {
  readonly name: string;
  readonly question: string;
  readonly start: string;
  readonly isRequired: boolean;
  readonly read: (typed: string) => Json | undefined;
  readonly expected: string;
}

/** Asks a plain form field by field; `undefined` where it has anything but texts, numbers, choices and yes or no. */
export async function askForm(
  prompt: Prompt,
  form: unknown,
  typed: JsonObject,
): Promise<JsonObject | undefined> {
  const fields = fieldsOf(form, typed);
  if (!fields) return undefined;
  const content: Record<string, Json> = {};
  for (const field of fields) {
    const value = await askField(prompt, field);
    if (value !== undefined) content[field.name] = value;
  }
  return content;
}

async function askField(prompt: Prompt, field: Field): Promise<Json | undefined> {
  for (let text = field.start; ;) {
    text = await prompt.ask(field.question, text);
    if (text === '' && !field.isRequired) return undefined;
    const value = field.read(text);
    if (value !== undefined) return value;
    prompt.say(`Expected ${field.expected}. Change it, or leave with Ctrl-C.`);
  }
}

function fieldsOf(form: unknown, typed: JsonObject): readonly Field[] | undefined {
  const { type, properties, required } = isRecord(form) ? form : {};
  if (type !== 'object' || !isRecord(properties)) return undefined;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties).map(([name, schema]) =>
    fieldOf(name, schema, names.includes(name), Object.hasOwn(typed, name) ? typed[name] : undefined),
  );
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function fieldOf(
  name: string,
  schema: unknown,
  isRequired: boolean,
  typed: Json | undefined,
): Field | undefined {
  // A key that objects have by themselves could not be set.
  if (!isRecord(schema) || name === '__proto__') return undefined;
  const reading = readingOf(schema);
  if (!reading) return undefined;
  const { title, description, default: byDefault } = schema;
  const label = typeof title === 'string' ? title : name;
  const more = typeof description === 'string' ? `: ${description}` : '';
  const empty = isRequired ? '' : ', may be empty';
  const start = typed ?? (byDefault as Json | undefined);
  return {
    name,
    question: `${visibleLine(label)} (${visibleLine(reading.expected)}${empty})${visibleLine(more)}: `,
    start: start === undefined ? '' : spoken(start),
    isRequired,
    ...reading,
  };
}

function readingOf({
  type,
  enum: choices,
}: Readonly<Record<string, unknown>>): Pick<Field, 'read' | 'expected'> | undefined {
  switch (type) {
    case 'string': {
      if (choices === undefined) return { read: (typed) => typed, expected: 'a text' };
      if (!Array.isArray(choices) || !choices.every((choice) => typeof choice === 'string')) return undefined;
      return {
        read: (typed) => (choices.includes(typed) ? typed : undefined),
        expected: `one of ${choices.join(', ')}`,
      };
    }
    case 'integer':
      return { read: (typed) => numberIn(typed, Number.isSafeInteger), expected: 'a whole number' };
    case 'number':
      return { read: (typed) => numberIn(typed, Number.isFinite), expected: 'a number' };
    case 'boolean':
      return { read: yesOrNo, expected: 'yes or no' };
    default:
      return undefined;
  }
}

function numberIn(typed: string, fits: (value: number) => boolean): number | undefined {
  const value = typed.trim() === '' ? Number.NaN : Number(typed);
  return fits(value) ? value : undefined;
}

function yesOrNo(typed: string): boolean | undefined {
  if (/^(y|yes|true)$/i.test(typed.trim())) return true;
  return /^(n|no|false)$/i.test(typed.trim()) ? false : undefined;
}

function spoken(value: Json): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
