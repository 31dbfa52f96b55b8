import { Validator, type SchemaDraft } from '@cfworker/json-schema';
import type { Json, JsonSchema } from './json';
import { jsonProblem } from './json-problem';

/**
 * A validator that interprets its schema: no code is made from it, so it runs in the workflow and under a
 * page's strict policy. Reads the draft that `$schema` names, 2020-12 where it names none.
 */
export function schemaValidator(schema: JsonSchema): Validator {
  return new Validator(schema, draftOf(schema), false);
}

function draftOf(schema: JsonSchema): SchemaDraft {
  const name = typeof schema['$schema'] === 'string' ? schema['$schema'] : '';
  if (name.includes('draft-04')) return '4';
  if (name.includes('draft-06') || name.includes('draft-07')) return '7';
  return name.includes('2019-09') ? '2019-09' : '2020-12';
}

/**
 * Says where a value violates a JSON Schema, without any of its values (R11), or `undefined` when it fits.
 * A schema that cannot be used (a remote `$ref`, say) checks nothing here; the worker's full check still
 * comes (R24).
 */
export function schemaProblem(schema: JsonSchema, value: Json): string | undefined {
  const validator = usableValidator(schema);
  if (!validator) return undefined;
  try {
    const { valid, errors } = validator.validate(value);
    return valid ? undefined : jsonProblem(errors);
  } catch {
    return 'the value could not be checked';
  }
}

/** Stops at the first problem: the workflow has no time for a list of them. */
function usableValidator(schema: JsonSchema): Validator | undefined {
  try {
    const validator = new Validator(schema, draftOf(schema), true);
    validator.validate(null);
    return validator;
  } catch {
    return undefined;
  }
}
