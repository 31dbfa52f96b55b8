import { isRecord, type Json, type JsonObject } from '../agent/json';

/** A schema that a value fits, for a form where the tool's own schema is not at hand. */
export function inferredSchema(value: Json | undefined): JsonObject {
  if (Array.isArray(value))
    return { type: 'array', items: value.length === 0 ? {} : inferredSchema((value as Json[])[0]) };
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
