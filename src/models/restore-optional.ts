import { isRecord, type Json, type JsonObject, type JsonSchema } from '../agent/json';
import { schemaProblem } from '../agent/json-schema';
import { branches, isSchema, resolve, takesNull } from './schema-ref';
import { toStrictSchema } from './strict-schema';

/**
 * The value without the nulls that only strict mode asked for: a null of an optional property whose own schema
 * takes no null. Gives the same value back where there is nothing to remove.
 */
export function restoreOptional(root: JsonSchema, value: Json): Json {
  return restore(root, root, value);
}

function restore(root: JsonSchema, schema: JsonSchema, value: Json): Json {
  const target = resolve(root, schema);
  if (!target || value === null || typeof value !== 'object') return value;
  const alternatives = branches(target['anyOf'], target['oneOf']);
  if (alternatives.length > 0) {
    const branch = alternatives.find((candidate) => fitsStrictly(root, candidate, value));
    return branch ? restore(root, branch, value) : value;
  }
  if (isArray(value)) {
    const { items } = target;
    if (!isSchema(items)) return value;
    const restored = value.map((item) => restore(root, items, item));
    return restored.some((item, at) => item !== value[at]) ? restored : value;
  }
  return restoreObject(root, target, value);
}

function restoreObject(root: JsonSchema, schema: JsonSchema, value: JsonObject): Json {
  const { properties, required } = schema;
  if (!isSchema(properties)) return value;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  let changed = false;
  const entries = Object.entries(value).flatMap(([name, item]): [string, Json | undefined][] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (item === undefined || !isSchema(property)) return [[name, item]];
    if (item === null && !names.includes(name) && !takesNull(root, property)) {
      changed = true;
      return [];
    }
    const restored = restore(root, property, item);
    changed ||= restored !== item;
    return [[name, restored]];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** Which alternative the model followed shows in the strict form of it, where nothing is optional. */
function fitsStrictly(root: JsonSchema, branch: JsonSchema, value: Json): boolean {
  const { $defs, definitions } = root;
  const strict = toStrictSchema({
    ...branch,
    ...(isRecord($defs) && { $defs }),
    ...(isRecord(definitions) && { definitions }),
  });
  return strict !== undefined && schemaProblem(strict, value) === undefined;
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
