import type { OutputUnit } from '@cfworker/json-schema';
import { cutText } from './cut-text';
import { printPath, problemOf, type Problem } from './problem-words';

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

/** What a person is told of the validator's findings: each of them once, in its words. */
export function problemsIn(units: readonly OutputUnit[]): Problem[] {
  const leaves = units.filter((unit) => !WRAPPERS.has(unit.keyword));
  const told = (leaves.length > 0 ? leaves : units).slice(0, MAX_FINDINGS).map(problemOf);
  return [...new Map(told.map((problem) => [sentenceOf(problem), problem])).values()];
}

/** The validator's findings as one readable text that names each path and holds no value (R11). */
export function jsonProblem(units: readonly OutputUnit[]): string {
  const sentences = problemsIn(units).map((problem) => cutText(sentenceOf(problem), MAX_SENTENCE));
  return sentences.slice(0, MAX_PROBLEMS).join('; ');
}

function sentenceOf({ path, words }: Problem): string {
  return `${printPath(path)} ${words}`;
}
