import { z } from 'zod';
import * as mini from 'zod/mini';
import type { Json } from '../../src/agent/json';
import { emptySchema, toInputSchema, toSchema } from '../../src/tools/schema';
import { holdpointError } from '../support/matchers';

const INVALID = 'Holdpoint.Tool.InvalidDefinition';
const input = (schema: unknown) => toInputSchema(schema, 'tool t');
const problem = (schema: unknown, value: Json) => {
  const checked = input(schema).check(value);
  return checked.ok ? undefined : checked.problem;
};

describe('schemas', () => {
  test('R1: an omitted schema is the empty one, which refuses no arguments', () => {
    expect(input(undefined).wire).toEqual(emptySchema());
    expect(emptySchema()).toEqual({ type: 'object', properties: {} });
    expect(problem(undefined, { surplus: 1 })).toBeUndefined();
  });

  test('R1: a JSON Schema travels as it was given, and the given object is not touched', () => {
    const given = {
      type: 'object',
      description: 'what to look for',
      properties: { q: { type: 'string', minLength: 2 }, at: { $ref: '#/$defs/at' } },
      required: ['q'],
      $defs: { at: { type: 'integer' } },
    };
    const before = structuredClone(given);
    const { wire, check } = input(given);
    check({ q: 'xx' });
    expect(wire).toEqual(before);
    expect(Object.getOwnPropertyNames(given)).toEqual(Object.keys(before));
  });

  test('R1: a zod schema travels as JSON Schema of its input, descriptions included', () => {
    const schema = z.object({ q: z.string().describe('words'), limit: z.coerce.number().default(5) });
    expect(input(schema).wire).toEqual({
      type: 'object',
      properties: { q: { type: 'string', description: 'words' }, limit: { type: 'number', default: 5 } },
      required: ['q'],
    });
  });

  test('R1: schemas of zod mini work alike', () => {
    const schema = mini.object({ q: mini.string() });
    expect(input(schema).wire).toMatchObject({ type: 'object', required: ['q'] });
    expect(problem(schema, { q: 1 })).toContain('`q`');
  });

  test('R1: a union of objects is declared as an object, as providers demand', () => {
    const schema = z.discriminatedUnion('k', [
      z.object({ k: z.literal('a') }),
      z.object({ k: z.literal('b') }),
    ]);
    expect(input(schema).wire['type']).toBe('object');
    expect(problem(schema, { k: 'b' })).toBeUndefined();
  });

  test.each([
    ['a date', z.object({ a: z.date() }), /no JSON form.*Date/],
    ['a bigint', z.object({ a: z.bigint() }), /no JSON form/],
    ['a string where an object must be', z.string(), /describe an object, got "string"/],
    ['an array schema', { type: 'array' }, /describe an object, got "array"/],
    ['a function', () => true, /expected a schema of zod 4 or a JSON Schema/],
    ['text', 'object', /expected a zod schema or a JSON Schema object/],
    ['another library', { '~standard': { vendor: 'valibot' } }, /another library/],
    ['a value without JSON form', { type: 'object', default: { f: () => 1 } }, /f is a function/],
    [
      'a broken pattern',
      { type: 'object', properties: { a: { pattern: '(' } } },
      /Invalid regular expression/,
    ],
    ['a reference to nowhere', { type: 'object', properties: { a: { $ref: '#/$defs/b' } } }, /leads nowhere/],
  ])('R1: refused when defined, with the reason: %s', (_, schema, reason) => {
    expect(() => input(schema)).toThrow(holdpointError(INVALID, reason));
    expect(() => input(schema)).toThrow(/inputSchema of tool t/);
  });

  test('R1: a reference by an address leads to what has it, and the schema is not written out for each', () => {
    const there = { $id: 'https://example.com/text', type: 'string' };
    const refs = (to: string) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`p${n}`, { $ref: to }]));
    const schema = (to: string) => ({ type: 'object', $defs: { there }, properties: refs(to) });
    const written = jest.spyOn(JSON, 'stringify');
    const { check } = input(schema('https://example.com/text'));
    expect(written.mock.calls.length).toBeLessThan(10);
    written.mockRestore();
    expect(check({ p7: 'a' }).ok).toBe(true);
    expect(check({ p7: 7 }).ok).toBe(false);
    expect(() => input(schema('https://example.com/other'))).toThrow(
      holdpointError(INVALID, /leads nowhere/),
    );
  });

  test('R1: a property that is called `pattern` is no pattern', () => {
    expect(
      problem({ properties: { pattern: { type: 'string' }, ok: { enum: [{ pattern: '(' }] } } }, {}),
    ).toBeUndefined();
  });

  test('R5: JSON Schema problems name the path and what was expected', () => {
    const schema = {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
        },
        colour: { enum: ['red', 'blue'] },
      },
      required: ['items'],
      additionalProperties: false,
    };
    expect(problem(schema, {})).toBe('`items` is missing');
    expect(problem(schema, { items: [{ id: 'x' }] })).toBe('`items[0].id` must be a whole number, not text');
    expect(problem(schema, { items: [{}] })).toBe('`items[0].id` is missing');
    expect(problem(schema, { items: [], extra: 1 })).toBe('`extra` is not allowed here');
    expect(problem(schema, { items: [], colour: 'green' })).toContain('"red", "blue"');
  });

  test('R5: zod problems name the path', () => {
    const schema = z.object({ items: z.array(z.object({ id: z.int() })) });
    expect(problem(schema, { items: [{ id: 'x' }] })).toMatch(
      /^`items\[0\]\.id`: .*expected .*received string/,
    );
    expect(problem(schema, {})).toMatch(/^`items`: /);
  });

  test('R11: a problem holds no value of what was checked', () => {
    const schema = {
      properties: { n: { type: 'number', maximum: 3, multipleOf: 2 }, s: { type: 'string', pattern: '^a' } },
    };
    const text = problem(schema, { n: 424242.5, s: 'secret-value' });
    expect(text).toContain('`n`');
    expect(text).toContain('`s`');
    expect(text).not.toContain('424242');
    expect(text).not.toContain('secret-value');
  });

  test('R5: a draft-07 schema is read as one', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } },
    };
    expect(problem(schema, { pair: ['a', 1] })).toBeUndefined();
    expect(problem(schema, { pair: [1, 'a'] })).toContain('`pair[0]` must be text, not a number');
  });

  test('R5: a check that throws is a problem, not an exception', () => {
    const throwing = z.object({
      a: z.string().refine(() => {
        throw new Error('boom');
      }),
    });
    const asynchronous = z.object({ a: z.string().refine(async () => true) });
    expect(problem(throwing, { a: 'x' })).toContain('boom');
    expect(problem(asynchronous, { a: 'x' })).toContain('asynchronous');
  });

  test('R1: whether a check does more than its JSON form is known', () => {
    const read = (schema: unknown) => toSchema(schema, 'tool t', 'outputSchema', INVALID);
    expect(read({ type: 'string' }).isWhole).toBe(true);
    expect(read(z.string()).isWhole).toBe(false);
  });
});
