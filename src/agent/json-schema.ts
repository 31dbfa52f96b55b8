import { Validator } from '@cfworker/json-schema';
import type { Json, JsonSchema } from './json';

/**
 * Says where a value violates a JSON Schema, or `undefined` when it fits. Interprets the schema: no code
 * is made from it, so it runs in the workflow and under a page's strict policy. A schema that it cannot
 * read (a remote `$ref`, say) checks nothing here; the worker's full check still comes (R24).
 */
export function schemaProblem(schema: JsonSchema, value: Json): string | undefined {
  const result = validate(schema, value);
  if (!result || result.valid) return undefined;
  // The last entry is the deepest: the others only say that their children failed.
  const deepest = result.errors.at(-1);
  if (!deepest) return 'It does not fit the schema.';
  const path = deepest.instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.');
  return path === '' ? deepest.error : `${path}: ${deepest.error}`;
}

function validate(schema: JsonSchema, value: Json) {
  try {
    return new Validator(schema satisfies JsonSchema, '2020-12', true).validate(value);
  } catch {
    return undefined;
  }
}
