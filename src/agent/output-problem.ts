import { parseJson, type Json } from './json';
import type { Checked } from './tool';

/**
 * Says where an output violates a schema, or `undefined` when it fits. An output is text: it fits when
 * what it says as JSON does, or the text itself does, so that a schema of a string needs no quotes.
 */
export function outputProblem(check: (value: Json) => Checked<unknown>, output: string): string | undefined {
  const value = parseJson(output);
  const checked = check(value ?? output);
  if (checked.ok) return undefined;
  return typeof value !== 'string' && value !== undefined && check(output).ok ? undefined : checked.problem;
}
