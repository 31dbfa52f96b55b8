import { isRecord, type Json, type JsonObject } from '../agent/json';

/**
 * The schema of a form for a value: the tool's own, where there is one, and what it says nothing of by the value, so
 * that the form has a field for everything.
 */
export function formSchema(schema: JsonObject | undefined, value: JsonObject): JsonObject {
  const inferred = inferredSchema(value);
  if (!schema) return inferred;
  const own = isRecord(schema['properties']) ? schema['properties'] : {};
  const all = isRecord(inferred['properties']) ? inferred['properties'] : {};
  return { ...schema, properties: { ...all, ...own } };
}

/** A schema that a value fits, for a form where the tool's own schema is not at hand. */
function inferredSchema(value: Json | undefined): JsonObject {
  if (Array.isArray(value)) return { type: 'array', items: itemsOf(value as Json[]) };
  if (isRecord(value))
    return {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(value).map(([name, entry]) => [name, inferredSchema(entry as Json)]),
      ),
    };
  if (value === null || value === undefined) return {};
  return { type: typeof value };
}

/** Items of several kinds have a schema each. */
function itemsOf(items: readonly Json[]): Json {
  const kinds = new Set(
    items.map((item) => (Array.isArray(item) ? 'array' : item === null ? 'null' : typeof item)),
  );
  return kinds.size === 1 ? inferredSchema(items[0]) : items.map(inferredSchema);
}
