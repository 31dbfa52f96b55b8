import fc from 'fast-check';
import { boundedSchema } from '../../src/agent/bounded-schema';
import { isRecord, type Json, type JsonSchema } from '../../src/agent/json';
import { schemaValidator } from '../../src/agent/json-schema';
import { Meter } from '../../src/agent/meter';
import { MAX_LOOKS, outputFit, schemaFit } from '../../src/agent/schema-fit';

const fit = (schema: JsonSchema, value: Json) => schemaFit(schema, value, new Meter(MAX_LOOKS)).is;
const EVIL = '^(a+)+$';
const HANGS = `${'a'.repeat(60)}!`;

describe('A value from outside against a tool’s schema', () => {
  it.each<[where: string, schema: JsonSchema, value: Json]>([
    ['pattern', { pattern: EVIL }, HANGS],
    ['a pattern below', { properties: { a: { items: { pattern: EVIL } } } }, { a: [HANGS] }],
    ['patternProperties', { patternProperties: { [EVIL]: {} }, additionalProperties: false }, { [HANGS]: 1 }],
    ['propertyNames', { propertyNames: { pattern: EVIL } }, { [HANGS]: 1 }],
    ['not', { not: { pattern: EVIL } }, HANGS],
    ['a definition', { $ref: '#/$defs/e', $defs: { e: { pattern: EVIL } } }, HANGS],
    ['a format of the validator’s own', { format: 'url' }, `http://${'a'.repeat(60)}`],
  ])('R24, R30: no regular expression runs on it: %s', (_where, schema, value) => {
    expect(fit(schema, value)).toBe('unsure');
  });

  it.each<[what: string, schema: JsonSchema, value: Json]>([
    ['alternatives of alternatives', doubling(40), 'x'],
    ['alternatives that recurse', tree(), nested(60)],
    ['a reference to itself', { $ref: '#' }, 1],
    ['unique items', { uniqueItems: true }, Array.from({ length: 30_000 }, () => 1).map((n, at) => n + at)],
    ['a constant for each of many', { items: { enum: numbers(9000) } }, numbers(9000).reverse()],
    ['a long text, many times', doubling(12, { minLength: 60_000 }), 'x'.repeat(60_000)],
    ['a long name, many times', doubling(12, { additionalProperties: false }), { ['x'.repeat(60_000)]: 1 }],
    ['a large value', { items: { type: 'string' } }, numbers(30_000)],
    ['a large schema', { enum: numbers(30_000) }, -1],
  ])('R30: a check that goes on for too long is left to the worker: %s', (_what, schema, value) => {
    const began = performance.now();
    expect(fit(schema, value)).toBe('unsure');
    // The engine's limit for a step is five seconds.
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('R24: a table of a thousand rows is checked to its end', () => {
    const row = {
      type: 'object',
      properties: { id: { type: 'string' }, n: { type: 'integer' } },
      required: ['id', 'n'],
    };
    const rows = Array.from({ length: 1000 }, (_, n) => ({ id: `r${n}`, n }));
    expect(fit({ type: 'array', items: row }, rows)).toBe('fits');
    expect(fit({ type: 'array', items: row }, [...rows, { id: 1, n: 1 }])).toBe('violates');
  });

  it.each<[JsonSchema, Json]>([
    [{ type: 'string', pattern: 'x' }, 1],
    [{ properties: { pattern: { type: 'string' } } }, { pattern: 1 }],
    [{ oneOf: [{ type: 'string', pattern: 'a' }, { type: 'boolean' }] }, 1],
    [{ format: 'date-time' }, 'yesterday'],
    [{ minLength: 3, format: 'uri' }, 'a'],
  ])('R24: what can be told without an expression still is: %j', (schema, value) => {
    expect(fit(schema, value)).toBe('violates');
  });

  it('R24: a format that its author has narrowed by a pattern is the pattern’s business', () => {
    expect(fit({ format: 'time', pattern: '^\\d\\d:\\d\\d$' }, '12:30')).toBe('unsure');
  });

  it('R24: what an output says as JSON counts, or else its text', () => {
    const text = (schema: JsonSchema, output: string) => outputFit(schema, output, new Meter(MAX_LOOKS)).is;
    expect(text({ type: 'number' }, '12')).toBe('fits');
    expect(text({ type: 'string' }, '12')).toBe('fits');
    expect(text({ type: 'boolean' }, '12')).toBe('violates');
    expect(text({ type: 'boolean' }, '"'.repeat(70_000))).toBe('unsure');
  });

  it('a schema is not changed by a check', () => {
    const schema = { $ref: '#/$defs/a', $defs: { a: { type: 'string', pattern: 'x' } } };
    const frozen = deepFrozen(schema);
    expect(fit(frozen, 1)).toBe('violates');
    expect(boundedSchema(frozen).isWhole).toBe(false);
  });

  it('R24: it refuses nothing that the whole schema takes, and passes nothing that it refuses', () => {
    fc.assert(
      fc.property(schemas(), values(), (schema, value) => {
        const valid = isValid(schema, value);
        const { is } = schemaFit(schema, value, new Meter(MAX_LOOKS));
        if (is === 'violates') expect(valid).toBe(false);
        if (is === 'fits') expect(valid).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

function isValid(schema: JsonSchema, value: Json): boolean {
  return schemaValidator(JSON.parse(JSON.stringify(schema)) as JsonSchema).validate(value).valid;
}

/** Takes two to the power of `depth` steps. */
function doubling(depth: number, last: JsonSchema = { type: 'null' }): JsonSchema {
  const $defs: Record<string, JsonSchema> = { [`d${depth}`]: last };
  for (let n = 0; n < depth; n += 1) {
    const next = { $ref: `#/$defs/d${n + 1}` };
    $defs[`d${n}`] = {
      anyOf: [{ allOf: [next, false] }, { allOf: [next, false] }, next, next],
    };
  }
  return { $ref: '#/$defs/d0', $defs };
}

/** A node is one of two kinds, told apart only at the bottom. */
function tree(): JsonSchema {
  const kind = (leaf: string) => ({ properties: { child: { $ref: '#' }, leaf: { const: leaf } } });
  return { anyOf: [kind('a'), kind('b')] };
}

function nested(depth: number): Json {
  let value: Json = { leaf: 'c' };
  for (let n = 0; n < depth; n += 1) value = { child: value };
  return value;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

function deepFrozen<T>(value: T): T {
  if (isRecord(value) || Array.isArray(value)) Object.values(value).forEach(deepFrozen);
  return Object.freeze(value);
}

const NAMES = ['a', 'b', 'pattern'];
const TEXTS = ['a', 'ab', 'b', '2026-01-01', '12:30', ''];

function values(depth = 3): fc.Arbitrary<Json> {
  const leaf = fc.constantFrom<Json>(null, true, 0, 1, 2.5, ...TEXTS);
  if (depth === 0) return leaf;
  const part = values(depth - 1);
  return fc.oneof(
    leaf,
    fc.array(part, { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), part, { maxKeys: 3 }),
  );
}

/** Small schemas, with every keyword that a weaker part could turn upside down. */
function schemas(depth = 3): fc.Arbitrary<JsonSchema> {
  const leaves = {
    type: fc.constantFrom('string', 'number', 'object', 'array', 'boolean'),
    pattern: fc.constantFrom('a', '^b', 'z'),
    format: fc.constantFrom('date', 'time', 'uri', 'nonsense'),
    minLength: fc.constantFrom(1, 2),
    enum: fc.constantFrom<Json[]>(['a', 1], ['', null], [[], true]),
  };
  const one = (name: string, value: fc.Arbitrary<Json>) => fc.record({ [name]: value });
  const leaf = fc.oneof(...Object.entries(leaves).map(([name, value]) => one(name, value)));
  if (depth === 0) return leaf;
  const part = schemas(depth - 1);
  const list = fc.array(part, { minLength: 1, maxLength: 3 });
  const map = fc.dictionary(fc.constantFrom(...NAMES), part, { maxKeys: 3 });
  const holders = [
    ...['not', 'if', 'then', 'else', 'items', 'contains', 'propertyNames'].map((name) => one(name, part)),
    ...['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'].map((name) =>
      one(name, fc.oneof(part, fc.constant(false))),
    ),
    ...['anyOf', 'allOf', 'oneOf', 'prefixItems'].map((name) => one(name, list)),
    ...['properties', 'patternProperties', 'dependentSchemas'].map((name) => one(name, map)),
    one('maxContains', fc.constantFrom(0, 1)),
    one('required', fc.constantFrom(['a'], ['b', 'pattern'])),
  ];
  return fc
    .array(fc.oneof({ weight: 2, arbitrary: leaf }, ...holders), { minLength: 1, maxLength: 4 })
    .map((parts) => Object.assign({}, ...parts) as JsonSchema);
}
