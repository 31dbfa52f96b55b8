import { isRecord, type Json, type JsonSchema } from '../agent/json';

/** What a schema describes at its root: a JSON type, `union`, or `any value`. References inside it are followed. */
export function rootType(schema: JsonSchema): string {
  let at: Json | undefined = schema;
  for (let steps = 0; isRecord(at) && at['type'] === undefined && steps < MAX_STEPS; steps += 1) {
    const ref: Json | undefined = at['$ref'];
    if (typeof ref !== 'string') break;
    at = definitionAt(schema, ref);
  }
  if (!isRecord(at)) return at === undefined ? 'a reference that leads nowhere' : JSON.stringify(at);
  const { type } = at;
  if (typeof type === 'string') return type;
  if (type !== undefined) return JSON.stringify(type);
  return 'anyOf' in at || 'oneOf' in at ? 'union' : 'any value';
}

const MAX_STEPS = 32;

function definitionAt(root: JsonSchema, ref: string): Json | undefined {
  const [, name] = /^#\/\$defs\/(.+)$/.exec(ref) ?? [];
  const definitions = root['$defs'];
  if (name === undefined || !isRecord(definitions)) return undefined;
  return definitions[name.replaceAll('~1', '/').replaceAll('~0', '~')];
}
