import { isRecord, type Json, type JsonSchema } from './json';

/** A schema that can be checked in a time that its value's sender cannot stretch. */
export interface BoundedSchema {
  readonly schema: JsonSchema;
  /** It says all that the original says. Otherwise it is weaker: what violates it violates the original. */
  readonly isWhole: boolean;
}

/** These run a regular expression on text from outside: forty characters can keep one busy for days. */
const EXPRESSIONS = ['pattern', 'patternProperties'];

/**
 * Formats whose own expressions never go back over what they have read. The others are dropped: some do, and what
 * they ask for is disputed.
 */
const FORMATS = ['date', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'time', 'uuid'];

/** Where a part becomes weaker, these become stricter than they were, or may. */
const INVERTING = ['not', 'if', 'then', 'else', 'maxContains', 'unevaluatedProperties', 'unevaluatedItems'];

/** Keywords that hold data, not schemas. */
const DATA = ['const', 'enum', 'default', 'examples'];

/** Keywords whose keys are names and whose values are schemas. */
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];

/**
 * A copy of a schema without what may take for ever on a value from outside. What is left is never stricter than
 * the schema itself, so a value that it refuses is wrong.
 */
export function boundedSchema(schema: JsonSchema): BoundedSchema {
  const isWhole = !isUnbounded(schema);
  // A copy: the validator annotates what it reads.
  const copy = JSON.parse(JSON.stringify(schema)) as JsonSchema;
  return { schema: isWhole ? copy : weakened(copy), isWhole };
}

function isUnbounded(schema: JsonSchema): boolean {
  return (
    EXPRESSIONS.some((keyword) => keyword in schema) ||
    hasDroppedFormat(schema) ||
    Object.entries(schema).some(([keyword, value]) => schemasIn(keyword, value).some(isUnbounded))
  );
}

/** An expression beside a format is what the schema's author means by it, which may be less than the format. */
function hasDroppedFormat({ format, pattern }: JsonSchema): boolean {
  return format !== undefined && (pattern !== undefined || !FORMATS.some((kept) => kept === format));
}

function weakened(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword]) => !isDropped(keyword, schema));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword === 'oneOf' ? 'anyOf' : keyword,
      mapSchemas(keyword, value ?? null, weakened),
    ]),
  );
}

function isDropped(keyword: string, schema: JsonSchema): boolean {
  switch (keyword) {
    case 'format':
      return hasDroppedFormat(schema);
    case 'additionalProperties':
      // What the dropped names allowed would count as additional.
      return 'patternProperties' in schema;
    case 'oneOf':
      // Of weaker alternatives more than one may fit, so that they become `anyOf`.
      return 'anyOf' in schema;
    default:
      return EXPRESSIONS.includes(keyword) || INVERTING.includes(keyword);
  }
}

/** The schemas that a keyword holds. */
function schemasIn(keyword: string, value: Json | undefined): JsonSchema[] {
  const found: JsonSchema[] = [];
  mapSchemas(keyword, value ?? null, (schema) => {
    found.push(schema);
    return schema;
  });
  return found;
}

/** The keyword's value with each schema in it replaced. A property may itself be called `pattern`. */
function mapSchemas(keyword: string, value: Json, map: (schema: JsonSchema) => JsonSchema): Json {
  const mapped = (part: Json | undefined): Json => (isRecord(part) ? map(part) : (part ?? null));
  if (DATA.includes(keyword)) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(mapped);
  if (!MAPS.includes(keyword) || !isRecord(value)) return mapped(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapped(part)]));
}
