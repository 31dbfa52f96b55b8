import { askForm } from '../../src/cli/ask-form';

/** Answers questions from a script, and keeps what was asked, prefilled and said. */
function scripted(...replies: readonly string[]) {
  const told: string[] = [];
  const left = [...replies];
  return {
    told,
    ask: (question: string, prefilled = '') => {
      told.push(`${question}[${prefilled}]`);
      return Promise.resolve(left.shift() ?? prefilled);
    },
    say: (text: string) => {
      told.push(text);
    },
  };
}

const form = {
  type: 'object',
  properties: {
    seat: { type: 'string', title: 'Seat', description: 'window or aisle' },
    row: { type: 'integer', minimum: 1 },
    meal: { type: 'string', enum: ['none', 'soup'], default: 'none' },
    bag: { type: 'boolean' },
  },
  required: ['seat', 'row', 'meal', 'bag'],
};

test('a plain form is asked field by field, and what does not fit a field is asked again', async () => {
  const prompt = scripted('window', 'seven', '7', 'soup', 'maybe', 'y');
  expect(await askForm(prompt, form, {})).toEqual({ seat: 'window', row: 7, meal: 'soup', bag: true });
  expect(prompt.told).toEqual([
    'Seat (a text): window or aisle: []',
    'row (a whole number): []',
    'Expected a whole number. Change it, or leave with Ctrl-C.',
    'row (a whole number): [seven]',
    'meal (one of none, soup): [none]',
    'bag (yes or no): []',
    'Expected yes or no. Change it, or leave with Ctrl-C.',
    'bag (yes or no): [maybe]',
  ]);
});

test('what was typed before stands there again, and what may be empty is left out', async () => {
  const optional = { ...form, required: [] };
  const prompt = scripted();
  expect(await askForm(prompt, optional, { row: 0, bag: false })).toEqual({
    row: 0,
    meal: 'none',
    bag: false,
  });
  expect(prompt.told).toContain('row (a whole number, may be empty): [0]');
  expect(prompt.told).toContain('bag (yes or no, may be empty): [no]');
});

test.each<[string, unknown]>([
  ['no form', undefined],
  ['a list', { type: 'object', properties: { all: { type: 'array' } } }],
  ['a field without a type', { type: 'object', properties: { any: {} } }],
  ['choices that are no texts', { type: 'object', properties: { n: { type: 'string', enum: [1] } } }],
  ['a key that objects have', JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')],
])('%s is not asked field by field', async (_, odd) => {
  const prompt = scripted();
  expect(await askForm(prompt, odd, {})).toBeUndefined();
  expect(prompt.told).toEqual([]);
});

test('a hostile title shows what it hides', async () => {
  const prompt = scripted('x');
  const properties = { a: { type: 'string', title: 'Name\u202e\u001b[2J' } };
  await askForm(prompt, { type: 'object', properties }, {});
  for (const hidden of ['\u202e', '\u001b']) expect(prompt.told.join()).not.toContain(hidden);
});
