import { isRecord, type Json, type JsonSchema } from '../agent/json';

/** The definition that a reference inside the document names; `undefined` for any other kind of reference. */
export function definitionOf(root: JsonSchema, reference: Json | undefined): JsonSchema | undefined {
  if (reference === '#') return root;
  const match = typeof reference === 'string' ? /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) : null;
  const [, group, name] = match ?? [];
  const definitions = group === undefined ? undefined : root[group];
  if (!isRecord(definitions) || name === undefined) return undefined;
  const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
  const definition: unknown = Object.hasOwn(definitions, key) ? definitions[key] : undefined;
  return isSchema(definition) ? definition : undefined;
}

/** Follows references until a schema that is none; `undefined` where one leads nowhere or in a circle. */
export function resolve(root: JsonSchema, schema: JsonSchema): JsonSchema | undefined {
  const seen = new Set<JsonSchema>();
  let current: JsonSchema | undefined = schema;
  while (current?.['$ref'] !== undefined) {
    if (seen.has(current)) return undefined;
    seen.add(current);
    current = definitionOf(root, current['$ref']);
  }
  return current;
}

/** Whether null itself fits the schema. */
export function takesNull(
  root: JsonSchema,
  schema: JsonSchema,
  seen: ReadonlySet<JsonSchema> = new Set(),
): boolean {
  const target = resolve(root, schema);
  // Alternatives may refer to themselves.
  if (!target || seen.has(target)) return false;
  const { type, anyOf, oneOf } = target;
  if (type !== undefined) return type === 'null' || (Array.isArray(type) && type.includes('null'));
  if (target['const'] !== undefined) return target['const'] === null;
  if (Array.isArray(target['enum'])) return target['enum'].includes(null);
  return branches(anyOf, oneOf).some((branch) => takesNull(root, branch, new Set([...seen, target])));
}

/** The alternatives of a schema; [] where it has none. */
export function branches(anyOf: Json | undefined, oneOf: Json | undefined): readonly JsonSchema[] {
  const list: unknown = anyOf ?? oneOf;
  return Array.isArray(list) ? list.filter(isSchema) : [];
}

export function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value);
}
