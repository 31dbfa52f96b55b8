import type { OutputUnit } from '@cfworker/json-schema';
import { cutText } from './cut-text';

/** Sentences told at once; more would bury the first. */
const MAX_PROBLEMS = 5;

/** Findings looked at: alternatives may fail in thousands of ways. */
const MAX_FINDINGS = 100;

/** Characters of one sentence, whatever names and constants are in it. */
const MAX_SENTENCE = 400;

/** Keywords whose entry only says that an entry below it failed. */
const WRAPPERS = new Set([
  '$ref',
  '$recursiveRef',
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'dependentSchemas',
  'if',
  'items',
  'oneOf',
  'patternProperties',
  'prefixItems',
  'properties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** The validator's findings as one readable text that names each path and holds no value (R11). */
export function jsonProblem(units: readonly OutputUnit[]): string {
  const leaves = units.filter((unit) => !WRAPPERS.has(unit.keyword));
  const told = (leaves.length > 0 ? leaves : units).slice(0, MAX_FINDINGS);
  const sentences = new Set(
    told.map((unit) => cutText(`${pathOf(unit.instanceLocation)}: ${sentenceOf(unit)}`, MAX_SENTENCE)),
  );
  return [...sentences].slice(0, MAX_PROBLEMS).join('; ');
}

function pathOf(pointer: string): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURI(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  return printPath(steps);
}

/** A path as people write it: `` `items[0].id` ``; "the value" for the whole. */
export function printPath(steps: readonly PropertyKey[]): string {
  if (steps.length === 0) return 'the value';
  const text = steps.map((step) => (/^\d+$/.test(String(step)) ? `[${String(step)}]` : `.${String(step)}`));
  return `\`${text.join('').replace(/^\./, '')}\``;
}

function sentenceOf({ keyword, error }: OutputUnit): string {
  switch (keyword) {
    case 'false':
      return 'is not allowed here';
    case 'type':
      return error.replace(
        /^Instance type "(.+?)" is invalid\. Expected (.+)\.$/,
        (_, got: string, want: string) => {
          return `expected ${want.replaceAll('"', '')}, got ${got}`;
        },
      );
    case 'required':
      return error.replace(
        /^Instance does not have required property (.+)\.$/,
        'lacks the required property $1',
      );
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return error.replace(/^\S+ is /, 'is ').replace(/\.$/, '');
    default:
      return error.replace(/^Instance /, 'the value ').replace(/\.$/, '');
  }
}
