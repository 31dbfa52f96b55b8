import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/client';
import type { Json, JsonSchema } from '../../agent/json';
import { Meter } from '../../agent/meter';
import { MAX_LOOKS, schemaFit } from '../../agent/schema-fit';

/**
 * Where a value violates a server's schema, as far as a bounded check finds out: both come from the server, and an
 * expression of the one could run on the other for days.
 */
export function boundedProblem(schema: JsonSchema, value: Json): string | undefined {
  const fit = schemaFit(schema, value, new Meter(MAX_LOOKS));
  return fit.is === 'violates' ? fit.problem : undefined;
}

/** How the SDK checks results by the schemas that a server lists: its own way makes code of them. */
export const boundedValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    return (input) => {
      const problem = boundedProblem(schema as JsonSchema, input as Json);
      return problem === undefined
        ? { valid: true, data: input as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: problem };
    };
  },
};
