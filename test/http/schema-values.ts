import fc from 'fast-check';
import { isRecord } from '../../src/agent/json';

/** A JSON Schema as the API's own document has them. */
export type Schema = Readonly<Record<string, unknown>>;

/** Texts that break what was not thought of: empty, long, hidden, encoded, of several lines. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '.',
    '..',
    '%2F',
    '%00',
    '\u0000',
    '\ud800',
    '\u202e',
    '/',
    '//',
    '__proto__',
    '\'"<',
    '☃',
  ),
  fc.string({ minLength: 300, maxLength: 600 }),
);

const anything = fc.oneof({ maxDepth: 2 }, fc.jsonValue({ maxDepth: 2 }), text);

/** Values that a schema takes, and near it some that it does not. */
export function valuesOf(schema: unknown, document: Schema, depth = 0): fc.Arbitrary<unknown> {
  const fitting = fittingOf(schema, document, depth);
  return fc.oneof({ arbitrary: fitting, weight: 9 }, { arbitrary: anything, weight: 1 });
}

function fittingOf(given: unknown, document: Schema, depth: number): fc.Arbitrary<unknown> {
  const schema = resolve(given, document);
  const inner = (part: unknown): fc.Arbitrary<unknown> => valuesOf(part, document, depth + 1);
  if (depth > 6) return fc.constant(null);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if ('const' in schema) return fc.constant(schema['const']);
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return fc.oneof(...choices.map(inner));
  switch (schema['type']) {
    case 'string':
      return text;
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(0, -1, 1.5, 1e21, 2 ** 53));
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(inner(schema['items']), { maxLength: 3 });
    case 'object':
      return objectsOf(schema, inner);
    default:
      return anything;
  }
}

function objectsOf(schema: Schema, inner: (part: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const model = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)]));
  const object = fc.record(model, { requiredKeys: required.filter((name) => name in model) });
  const extra = fc.dictionary(fc.string({ maxLength: 8 }), anything, { maxKeys: 2 });
  return fc.oneof(
    { arbitrary: object, weight: 8 },
    { arbitrary: fc.tuple(object, extra).map(([one, more]) => ({ ...more, ...one })), weight: 2 },
  );
}

function resolve(schema: unknown, document: Schema): Schema {
  if (!isRecord(schema)) return {};
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const found = reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, part) => (isRecord(value) ? value[part] : undefined), document);
  return resolve(found, document);
}
