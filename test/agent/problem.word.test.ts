import { schemaProblem } from '../../src/agent/json-schema';
import type { Json, JsonSchema } from '../../src/agent/json';

const amount = (schema: JsonSchema): JsonSchema => ({ properties: { amount: schema } });

describe('What does not fit a schema is said in words that a person understands', () => {
  it.each<[JsonSchema, Json, string]>([
    [{ required: ['amount'] }, {}, '`amount` is missing'],
    [{ required: ['a "b" c'] }, {}, '`a "b" c` is missing'],
    [{ properties: { to: { required: ['iban'] } } }, { to: {} }, '`to.iban` is missing'],
    [
      { dependentRequired: { amount: ['currency'] } },
      { amount: 1 },
      '`currency` is missing: it is needed beside `amount`',
    ],
    [amount({ minimum: 0 }), { amount: -5 }, '`amount` must be at least 0'],
    [amount({ minimum: -1.5 }), { amount: -5 }, '`amount` must be at least -1.5'],
    [amount({ exclusiveMinimum: 0 }), { amount: 0 }, '`amount` must be more than 0'],
    [amount({ maximum: 1e21 }), { amount: 1e22 }, '`amount` must be at most 1e+21'],
    [amount({ exclusiveMaximum: 9 }), { amount: 9 }, '`amount` must be less than 9'],
    [amount({ multipleOf: 0.5 }), { amount: 0.3 }, '`amount` must be a multiple of 0.5'],
    [amount({ type: 'integer' }), { amount: 'x' }, '`amount` must be a whole number, not text'],
    [amount({ type: 'integer' }), { amount: 1.5 }, '`amount` must be a whole number'],
    [amount({ type: ['string', 'null'] }), { amount: 1 }, '`amount` must be text or null, not a number'],
    [amount({ enum: ['red', 'blue'] }), { amount: 'x' }, '`amount` must be one of "red", "blue"'],
    [amount({ const: 'EUR' }), { amount: 'x' }, '`amount` must be "EUR"'],
    [amount({ minLength: 1 }), { amount: '' }, '`amount` must not be empty'],
    [amount({ minLength: 3 }), { amount: 'x' }, '`amount` must have at least 3 characters'],
    [amount({ maxLength: 1 }), { amount: 'xyz' }, '`amount` must have at most 1 character'],
    [amount({ minItems: 1 }), { amount: [] }, '`amount` must have at least 1 entry'],
    [amount({ maxItems: 2 }), { amount: [1, 2, 3] }, '`amount` must have at most 2 entries'],
    [amount({ maxProperties: 2 }), { amount: { a: 1, b: 2, c: 3 } }, '`amount` must have at most 2 fields'],
    [amount({ uniqueItems: true }), { amount: [1, 1] }, '`amount` must not have the same entry twice'],
    [amount({ format: 'date' }), { amount: 'x' }, '`amount` must be a date such as 2026-03-01'],
    [amount({ format: 'ipv4' }), { amount: 'x' }, '`amount` must have the format "ipv4"'],
    [amount({ pattern: '^a' }), { amount: 'x' }, '`amount` does not have the form that is asked for'],
    [{ additionalProperties: false }, { amount: 1 }, '`amount` is not allowed here'],
    [{ type: 'object' }, 'x', 'the value must be an object, not text'],
    [{ not: {} }, 'x', 'the value is not allowed here'],
  ])('%j', (schema, value, words) => {
    expect(schemaProblem(schema, value)).toBe(words);
  });

  it('draft 4 has its limits excluded by a flag', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      properties: { amount: { minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true } },
    };
    expect(schemaProblem(schema, { amount: 0 })).toBe('`amount` must be more than 0');
    expect(schemaProblem(schema, { amount: 9 })).toBe('`amount` must be less than 9');
  });

  it('says each thing once', () => {
    const one = { anyOf: [{ required: ['amount'] }, { required: ['amount'] }] };
    expect(schemaProblem(one, {})).toBe('`amount` is missing');
  });
});
