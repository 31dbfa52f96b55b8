import { errorMessage } from '../agent/errors';
import { isRecord, type Json, type JsonSchema } from '../agent/json';
import { jsonProblem } from '../agent/json-problem';
import { schemaValidator } from '../agent/json-schema';
import type { Checked } from '../agent/tool';

/**
 * A check by JSON Schema. Interprets the schema; no code is generated.
 *
 * @throws Error with a sentence when the schema cannot be used: a pattern that is no regular expression,
 * a `$ref` that leads nowhere.
 */
export function jsonSchemaCheck(schema: JsonSchema): (value: Json) => Checked<Json> {
  const validator = schemaValidator(schema);
  refuseBrokenParts(schema);
  return (value) => {
    try {
      const { valid, errors } = validator.validate(value);
      return valid ? { ok: true, value } : { ok: false, problem: jsonProblem(errors) };
    } catch (error) {
      // A value nested deeper than the stack, for one.
      return { ok: false, problem: `the value could not be checked: ${errorMessage(error)}` };
    }
  };
}

/** Without this a broken pattern or reference would first show when a model calls the tool. */
function refuseBrokenParts(schema: JsonSchema): void {
  const ids = new Set<unknown>();
  walk(schema, (key, value) => {
    if (key === '$id') ids.add(value);
  });
  walk(schema, (key, value) => {
    if (key === 'pattern' && typeof value === 'string') new RegExp(value, 'u');
    if (key === '$ref' && typeof value === 'string' && !leadsSomewhere(schema, value, ids))
      throw new Error(`\`$ref\` leads nowhere: ${value}`);
  });
}

/** References by `$id` or anchor are left to the validator. */
function leadsSomewhere(root: JsonSchema, ref: string, ids: ReadonlySet<unknown>): boolean {
  if (/^https?:/.test(ref)) return ids.has(ref.split('#')[0]);
  if (!ref.startsWith('#/')) return true;
  let at: unknown = root;
  for (const step of ref.slice(2).split('/')) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isRecord(at) && Object.hasOwn(at, key)) at = at[key];
    else return false;
  }
  return at !== undefined;
}

function walk(value: unknown, visit: (key: string, value: unknown) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  if (!isRecord(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    // Data, not schema: a property may itself be called `pattern`, a constant may look like a schema.
    if (key === 'const' || key === 'enum' || key === 'default' || key === 'examples') continue;
    visit(key, inner);
    walk(inner, visit);
  }
}
