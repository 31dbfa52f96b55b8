import { isRecord, parseJson, type Json, type JsonObject, type JsonSchema } from '../agent/json';
import { restoreOptional } from './restore-optional';
import { toStrictSchema } from './strict-schema';

/** How the provider is asked for JSON, and how its JSON is read back. */
export interface OutputFormat {
  /** The provider holds the model to the schema. False where strict mode cannot express it. */
  readonly strict: boolean;
  readonly schema: Record<string, unknown>;
  /** The model's text as JSON of the agent's own schema. A text that is not such JSON is left as it is. */
  restore(text: string): string;
}

/** Where a schema's root is not an object, which providers insist on, its value travels under this key. */
const WRAPPER = 'value';

/**
 * The response format for an output schema. Strict mode wants every property required; the optional ones are
 * sent as nullable, and a null that the agent's schema does not take is removed again. A schema that strict
 * mode cannot express (records, free-form objects) is sent as it is; the run checks the output either way.
 */
export function toOutputFormat(schema: JsonSchema): OutputFormat {
  const wrapped = schema['type'] !== 'object';
  const sent = wrapped ? wrap(schema) : schema;
  // Wrapped, a reference to the root would name the wrapper.
  const movesRoot = wrapped && JSON.stringify(schema).includes('"$ref":"#"');
  const strict = movesRoot ? undefined : toStrictSchema(sent);
  return {
    strict: strict !== undefined,
    schema: { ...(strict ?? sent) },
    restore: (text) => {
      const value = parseJson(text);
      if (value === undefined || (wrapped && !isWrapped(value))) return text;
      const restored = strict ? restoreOptional(sent, value) : value;
      const output = wrapped && isWrapped(restored) ? restored[WRAPPER] : restored;
      // An untouched value keeps the model's own text, spacing and all.
      return output === value ? text : JSON.stringify(output);
    },
  };
}

function wrap(schema: JsonSchema): JsonSchema {
  const { $defs, definitions, ...root } = schema;
  return {
    type: 'object',
    properties: { [WRAPPER]: root },
    required: [WRAPPER],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}

function isWrapped(value: Json): value is JsonObject & { readonly [WRAPPER]: Json } {
  return isRecord(value) && value[WRAPPER] !== undefined;
}
