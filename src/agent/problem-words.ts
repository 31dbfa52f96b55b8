/** What is wrong with a value, in words that whoever filled a form in understands. No value stands in them (R11). */
import type { OutputUnit } from '@cfworker/json-schema';

/** What one finding of the schema's check is about, and what is to be said of it: `must be at least 0`. */
export interface Problem {
  readonly path: readonly string[];
  readonly words: string;
}

/** One finding of the validator, in words. */
export function problemOf(unit: OutputUnit): Problem {
  const path = stepsOf(unit.instanceLocation);
  const { keyword, error } = unit;
  const [first = '', second = ''] = namesIn(error);
  switch (keyword) {
    case 'required':
      return { path: [...path, first], words: 'is missing' };
    case 'dependentRequired':
    case 'dependencies':
      return second === ''
        ? { path, words: 'does not fit' }
        : { path: [...path, second], words: `is missing: it is needed beside \`${first}\`` };
    default:
      return { path, words: wordsOf(keyword, error) };
  }
}

/** A path as people write it: `` `items[0].id` ``; "the value" for the whole. */
export function printPath(steps: readonly PropertyKey[]): string {
  if (steps.length === 0) return 'the value';
  const text = steps.map((step) => (/^\d+$/.test(String(step)) ? `[${String(step)}]` : `.${String(step)}`));
  return `\`${text.join('').replace(/^\./, '')}\``;
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURI(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function wordsOf(keyword: string, error: string): string {
  const limit = limitIn(error);
  // Draft 4 has it as a flag beside the limit.
  const isBeyond = error.includes('or equal to');
  switch (keyword) {
    case 'false':
    case 'not':
      return 'is not allowed here';
    case 'type':
      return typeWords(error);
    case 'const':
    case 'enum':
      return choiceWords(error);
    case 'minimum':
      return isBeyond ? `must be more than ${limit}` : `must be at least ${limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'maximum':
      return isBeyond ? `must be less than ${limit}` : `must be at most ${limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}`;
    case 'multipleOf':
      return `must be a multiple of ${limit}`;
    case 'minLength':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`;
    case 'minItems':
      return `must have at least ${counted(limit, 'entry', 'entries')}`;
    case 'maxItems':
      return `must have at most ${counted(limit, 'entry', 'entries')}`;
    case 'minProperties':
      return `must have at least ${counted(limit, 'field')}`;
    case 'maxProperties':
      return `must have at most ${counted(limit, 'field')}`;
    case 'uniqueItems':
      return 'must not have the same entry twice';
    case 'contains':
    case 'minContains':
      return 'has too few of the entries that it must have';
    case 'maxContains':
      return 'has too many entries of one kind';
    case 'pattern':
      return 'does not have the form that is asked for';
    case 'format':
      return formatWords(error);
    case 'anyOf':
      return 'fits none of the forms that it may have';
    case 'oneOf':
      return 'must fit exactly one of the forms that it may have';
    default:
      return 'does not fit';
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function typeWords(error: string): string {
  const [got = '', ...wanted] = namesIn(error);
  const want = wanted.map((type) => TYPES[type] ?? type).join(' or ');
  // A number with a fraction is said to be what was asked for.
  return got === 'number' && wanted.includes('integer')
    ? `must be ${want}`
    : `must be ${want}, not ${TYPES[got] ?? got}`;
}

function choiceWords(error: string): string {
  const [, some, text = ''] = /^Instance does not match (any of )?(.+)\.$/s.exec(error) ?? [];
  if (!some) return `must be ${text}`;
  return `must be one of ${text.replace(/^\[|\]$/g, '').replaceAll('","', '", "')}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-03-01',
  time: 'a time such as 12:30:00Z',
  'date-time': 'a date and time such as 2026-03-01T12:30:00Z',
  duration: 'a duration such as P3D',
  email: 'an e-mail address',
  uri: 'a web address',
  uuid: 'a UUID',
};

function formatWords(error: string): string {
  const [format = ''] = namesIn(error);
  return Object.hasOwn(FORMATS, format)
    ? `must be ${FORMATS[format] ?? ''}`
    : `must have the format "${format}"`;
}

/** What stands between quotation marks. A name of a property may have some of its own. */
function namesIn(error: string): string[] {
  const whole = /^Instance does not have required property "(.*)"\.$/s.exec(error);
  return whole ? [whole[1] ?? ''] : [...error.matchAll(/"(.*?)"/gs)].map(([, name = '']) => name);
}

/** The last number of a finding; the ones before it are about the value. */
function limitIn(error: string): string {
  return /(-?[\d.]+(?:e[+-]?\d+)?)\D*$/i.exec(error.replace(/\.$/, ''))?.[1] ?? '';
}

function counted(count: string, one: string, many = `${one}s`): string {
  return `${count} ${count === '1' ? one : many}`;
}
