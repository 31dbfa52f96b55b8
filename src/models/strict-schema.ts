import { type Json, type JsonSchema } from '../agent/json';
import { branches, definitionOf, isSchema, takesNull } from './schema-ref';

/** Strict mode knows these; an annotation or a bound beyond them is left out, since the run checks it anyway. */
const KEPT: readonly string[] = [
  ...['type', 'title', 'description', 'enum', 'const', '$ref'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'],
];
const FORMATS: readonly unknown[] = [
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
];
/** These say what shape a value has. Left out, the model would be told of another schema. */
const INEXPRESSIBLE: readonly string[] = [
  ...['allOf', 'not', 'if', 'then', 'else', 'patternProperties', 'propertyNames', 'prefixItems', 'contains'],
  ...['dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems', '$dynamicRef'],
];

/** Thrown inside this file only: strict mode cannot express the schema. */
class Inexpressible extends Error {}

/**
 * The schema as strict mode wants it: objects closed, every property required, the optional ones nullable,
 * nothing that the mode does not know. `undefined` where it cannot be expressed.
 */
export function toStrictSchema(root: JsonSchema): JsonSchema | undefined {
  try {
    const definitions = ['$defs', 'definitions'].flatMap((group): [string, JsonSchema][] => {
      const named = root[group];
      return isSchema(named) ? [[group, mapSchemas(root, named)]] : [];
    });
    return { ...toStrict(root, root), ...Object.fromEntries(definitions) };
  } catch (error) {
    if (error instanceof Inexpressible) return undefined;
    throw error;
  }
}

function toStrict(root: JsonSchema, schema: Json | undefined): JsonSchema {
  if (!isSchema(schema) || INEXPRESSIBLE.some((keyword) => schema[keyword] !== undefined))
    throw new Inexpressible();
  const { type, anyOf, oneOf } = schema;
  const strict: Record<string, Json | undefined> = {};
  for (const keyword of KEPT) if (schema[keyword] !== undefined) strict[keyword] = schema[keyword];
  if (schema['$ref'] !== undefined) {
    if (!definitionOf(root, schema['$ref'])) throw new Inexpressible();
    return strict;
  }
  const alternatives = branches(anyOf, oneOf);
  if (alternatives.length > 0)
    return { ...strict, anyOf: alternatives.map((branch) => toStrict(root, branch)) };
  if (schema['const'] !== undefined || Array.isArray(schema['enum'])) return strict;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes(undefined)) throw new Inexpressible();
  if (types.includes('object')) Object.assign(strict, strictObject(root, schema));
  if (types.includes('array')) strict['items'] = toStrict(root, schema['items']);
  if (types.includes('string')) Object.assign(strict, strictString(schema));
  return strict;
}

function strictObject(root: JsonSchema, schema: JsonSchema): JsonSchema {
  const { properties, required, additionalProperties } = schema;
  const open = additionalProperties !== undefined && additionalProperties !== false;
  // A record, or an object of any shape: closing it would leave nothing.
  if (open || !isSchema(properties)) throw new Inexpressible();
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const strict = Object.entries(properties).map(([name, property]) => {
    const value = toStrict(root, property);
    return [name, names.includes(name) ? value : nullable(root, value)] as const;
  });
  return {
    properties: Object.fromEntries(strict),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function strictString({ format, pattern }: JsonSchema): JsonSchema {
  if (FORMATS.includes(format)) return { format };
  // Strict mode has no lookaround.
  return typeof pattern === 'string' && !/\(\?<?[=!]/.test(pattern) ? { pattern } : {};
}

function nullable(root: JsonSchema, schema: JsonSchema): JsonSchema {
  if (takesNull(root, schema)) return schema;
  const { type } = schema;
  if (type === undefined || schema['const'] !== undefined) return { anyOf: [schema, { type: 'null' }] };
  const list: readonly Json[] = Array.isArray(type) ? (type as readonly Json[]) : [type];
  const values = schema['enum'];
  return {
    ...schema,
    type: [...list, 'null'],
    ...(Array.isArray(values) && { enum: [...(values as readonly Json[]), null] }),
  };
}

function mapSchemas(root: JsonSchema, named: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, toStrict(root, schema)]));
}
