import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/client';
import type { Json, JsonSchema } from '../../agent/json';
import { boundedProblem } from '../bounded-problem';

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
