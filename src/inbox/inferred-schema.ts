import { isRecord, type Json, type JsonObject } from '../agent/json';

/** A schema that a value fits, for a form where the tool's own schema is not at hand. */
export function inferredSchema(value: Json | undefined): JsonObject {
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
