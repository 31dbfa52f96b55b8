import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/client';
import type { Json } from '../../agent/json';
import { Meter } from '../../agent/meter';
import { MAX_LOOKS, schemaFit } from '../../agent/schema-fit';

/**
 * How the SDK checks results by the schemas that a server lists. Both come from the server, and its own way makes code
 * of the one and would run an expression on the other for days.
 */
export const boundedValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    return (input) => {
      const fit = schemaFit(schema as Record<string, Json>, input as Json, new Meter(MAX_LOOKS));
      return fit.is === 'violates'
        ? { valid: false, data: undefined, errorMessage: fit.problem }
        : { valid: true, data: input as T, errorMessage: undefined };
    };
  },
};
