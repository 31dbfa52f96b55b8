import { schemaFit } from '../../src/agent/schema-fit';
import { Meter } from '../../src/agent/meter';
import { formSchema } from '../../src/inbox/form-schema';
import { subjectLine } from '../../src/page-parts/subject-line';
import { valueDiff } from '../../src/page-parts/value-diff';
import { valueHint } from '../../src/page-parts/value-hint';

test.each([
  ['amountCents', 8990, {}, '= 89.90'],
  ['amount_cents', 8990, { currency: 'EUR' }, '= 89.90 EUR'],
  ['amount', 1234567.5, { currency: 'EUR' }, '= 1,234,567.50 EUR'],
  ['unitPrice', 0.125, { currency: 'USD' }, '= 0.125 USD'],
  ['since', '2026-03-01T12:00:00+02:00', {}, '= 1 March 2026 at 10:00 UTC'],
])('%s %p is told as what it means', (name, value, beside, hint) => {
  expect(valueHint(name, value, beside)).toBe(hint);
});

test.each([
  ['a count', 'count', 8990, {}],
  ['an amount without a currency', 'amount', 12, {}],
  ['an amount with no real currency', 'amount', 12, { currency: '<b>' }],
  ['broken cents', 'cents', 1.5, {}],
  ['a time without an offset', 'since', '2026-03-01T12:00:00', {}],
  ['a day that does not exist', 'since', '2026-02-30T12:00:00Z', {}],
  ['a text', 'amountCents', '8990', {}],
])('%s gets no guess', (_, name, value, beside) => {
  expect(valueHint(name, value, beside)).toBeUndefined();
});

test('a row tells a call in one line: money and dates in words, and of what is nested how much there is', () => {
  const input = {
    order: '1047',
    amountCents: 8990,
    since: '2026-03-01T12:00:00Z',
    lines: [{ sku: 'a' }, { sku: 'b' }],
    customer: { name: 'Ada', id: 7 },
  };
  const request = { id: 'r', kind: 'approval', prompt: 'p', data: { tool: 'refund', input } };
  expect(subjectLine(request)).toEqual({
    title: 'refund',
    detail:
      'order: 1047, amountCents: 8990 (= 89.90), since: 2026-03-01T12:00:00Z (= 1 March 2026 at 12:00 UTC), lines: 2 entries, customer: 2 fields',
  });
});

test('a difference names each place, what was there and what is', () => {
  const before = { order: '1047', lines: [{ sku: 'a', n: 1 }, 'x'], gone: null, same: { deep: [1] } };
  const after = { order: '1047', lines: [{ sku: 'a', n: 2 }], added: false, same: { deep: [1] } };
  expect(valueDiff(before, after)).toEqual([
    { path: 'lines[1] › n', before: 1, after: 2 },
    { path: 'lines[2]', before: 'x' },
    { path: 'gone', before: null },
    { path: 'added', after: false },
  ]);
});

test('a number and its text, null and nothing, an order of keys: only what differs is a difference', () => {
  expect(valueDiff({ a: 1 }, { a: '1' })).toEqual([{ path: 'a', before: 1, after: '1' }]);
  expect(valueDiff({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([]);
  expect(valueDiff({ ['__proto__']: 1 }, {})).toEqual([{ path: '__proto__', before: 1 }]);
});

test('a form has a field for each argument, whether the tool’s schema names it or not', () => {
  const input = { order: '1047', extra: { list: [1, 'two'], nothing: null } };
  const schema = {
    type: 'object',
    properties: { order: { type: 'string', title: 'Order' } },
    required: ['order'],
  };
  const form = formSchema(schema, input);
  expect(form).toMatchObject({
    required: ['order'],
    properties: { order: { title: 'Order' }, extra: { type: 'object' } },
  });
  expect(schemaFit(formSchema(undefined, input), input, new Meter(10_000)).is).toBe('fits');
});
