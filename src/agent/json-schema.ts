import { Validator, type SchemaDraft } from '@cfworker/json-schema';
import type { Json, JsonSchema } from './json';
import { jsonProblem } from './json-problem';

/**
 * A validator that interprets its schema: no code is made from it, so it runs under a page's strict policy. For
 * the worker and the client: a regular expression in the schema may take for ever (`schemaFit` leaves them out).
 */
export function schemaValidator(schema: JsonSchema): Validator {
  return new Validator(schema, draftOf(schema), false);
}

/** The draft that a schema names; 2020-12 where it names none. */
export function draftOf(schema: JsonSchema): SchemaDraft {
  const name = typeof schema['$schema'] === 'string' ? schema['$schema'] : '';
  if (name.includes('draft-04')) return '4';
  if (name.includes('draft-06') || name.includes('draft-07')) return '7';
  return name.includes('2019-09') ? '2019-09' : '2020-12';
}

/**
 * Says where a value violates a JSON Schema, without any of its values (R11), or `undefined` when it fits. A
 * schema that cannot be used (a remote `$ref`, say) checks nothing.
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

function usableValidator(schema: JsonSchema): Validator | undefined {
  try {
    const validator = new Validator(schema, draftOf(schema), true);
    validator.validate(null);
    return validator;
  } catch {
    return undefined;
  }
}
