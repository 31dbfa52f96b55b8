import type { z } from 'zod';
import { errorMessage, HoldpointError } from '../agent/errors';
import { isRecord, type Json, type JsonObject, type JsonSchema } from '../agent/json';
import type { Checked } from '../agent/tool';
import { jsonSchemaCheck } from './json-schema';
import { isZodSchema, zodCheck, zodToJsonSchema, type ZodSchema } from './zod-schema';

/** What a schema option takes: a zod 4 schema, or a JSON Schema object (draft 2020-12 unless it says so). */
export type SchemaInput = ZodSchema | JsonSchema;

/** The arguments that a handler receives for its `inputSchema`: zod's output, or a plain JSON object. */
export type ArgsOf<S> = S extends ZodSchema ? z.output<S> : JsonObject;

/** A schema as the product uses it. */
export interface Schema {
  /** What travels: to the provider, to the run, to a page. */
  readonly wire: JsonSchema;
  readonly check: (value: Json) => Checked<unknown>;
  /** The check does what `wire` says and no more: refinements and transforms would be more. */
  readonly isWhole: boolean;
}

/** The schema of a tool that is called without arguments. A model that sends some is not refused. */
export function emptySchema(): JsonSchema {
  return { type: 'object', properties: {} };
}

/**
 * Reads a schema option. `owner` names whose it is in errors, such as `tool lookup`.
 *
 * @throws HoldpointError of `type` when the value is no schema or has no JSON form.
 */
export function toSchema(
  given: unknown,
  owner: string,
  option: string,
  type: 'Holdpoint.Tool.InvalidDefinition' | 'Holdpoint.Agent.InvalidDefinition',
): Schema {
  const refuse = (problem: string, cause?: unknown) =>
    new HoldpointError(
      type,
      `The ${option} of ${owner} cannot be used: ${problem}`,
      { owner, option },
      { cause },
    );
  if ((typeof given !== 'object' && typeof given !== 'function') || given === null || Array.isArray(given))
    throw refuse('expected a zod schema or a JSON Schema object.');
  if (isZodSchema(given)) {
    try {
      return { wire: zodToJsonSchema(given), check: zodCheck(given), isWhole: false };
    } catch (error) {
      throw refuse(`it has no JSON form. ${errorMessage(error)}.`, error);
    }
  }
  if (!isRecord(given) || '~standard' in given || '_def' in given)
    throw refuse('expected a schema of zod 4 or a JSON Schema object, got a schema of another library.');
  try {
    const wire = jsonCopy(given);
    return { wire, check: jsonSchemaCheck(wire), isWhole: true };
  } catch (error) {
    throw refuse(`${errorMessage(error)}.`, error);
  }
}

/**
 * Reads an input schema. Arguments are always an object (R5), and providers refuse parameters that do not
 * say so, so it is said where the schema left it out.
 */
export function toInputSchema(given: unknown, owner: string): Schema {
  const schema = toSchema(given ?? emptySchema(), owner, 'inputSchema', 'Holdpoint.Tool.InvalidDefinition');
  const { type } = schema.wire;
  if (type !== undefined && type !== 'object')
    throw new HoldpointError(
      'Holdpoint.Tool.InvalidDefinition',
      `The inputSchema of ${owner} cannot be used: expected it to describe an object, got ${JSON.stringify(type)}. Put the value under a name.`,
      { owner, option: 'inputSchema' },
    );
  const open = !['properties', 'anyOf', 'oneOf', 'allOf', '$ref'].some((key) => key in schema.wire);
  return { ...schema, wire: { type: 'object', ...(open && { properties: {} }), ...schema.wire } };
}

/** A copy that shares nothing with the caller's object: the validator annotates what it reads. */
function jsonCopy(given: Record<string, unknown>): JsonSchema {
  const text = JSON.stringify(given, (key, value: unknown) => {
    if (typeof value === 'function' || typeof value === 'bigint' || typeof value === 'symbol')
      throw new Error(`it has no JSON form: ${key} is a ${typeof value}`);
    return value;
  });
  return JSON.parse(text) as JsonSchema;
}
