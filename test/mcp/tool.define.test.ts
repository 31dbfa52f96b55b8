import { z } from 'zod';
import { HoldpointError } from '../../src/agent/errors';
import { define, defineContent, tryDefine, tryDefineContent } from '../../src/mcp/definition';
import { describeDefineError, type DefineError } from '../../src/mcp/define-error';
import { toolNameWarning } from '../../src/mcp/tool-name';

const input = z.object({ name: z.string() });
const date = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (at) => at.toISOString(),
});
const refused = (name: string, from: z.ZodType = input, to: z.ZodType = z.string()): DefineError => {
  const made = tryDefine(name, from, to);
  if (made.ok) throw new Error(`${name} was taken`);
  return made.error;
};

test.each(['a', 'A9._/-', 'x'.repeat(128)])('%s is a name', (name) => {
  expect(define(name, input, z.string()).name).toBe(name);
});

test('an empty name is refused', () => {
  expect(refused('')).toEqual({ kind: 'EmptyName' });
});

test('a name is measured in characters as readers count them, before they are looked at', () => {
  const family = '👨‍👩‍👧';
  expect(refused(family.repeat(129))).toEqual({
    kind: 'NameTooLong',
    name: family.repeat(129),
    max: 128,
    actual: 129,
  });
  expect(refused(family.repeat(128))).toMatchObject({ kind: 'InvalidNameCharacter' });
});

test.each([
  ['two words', ' '],
  ['a👨‍👩‍👧b', '👨‍👩‍👧'],
  ['cafe\u0301s', 'e\u0301'],
  ['naïve', 'ï'],
  ['line\n', '\n'],
  ['a$b%', '$'],
])('of %j the first character that is not allowed is told whole', (name, character) => {
  expect(refused(name)).toEqual({ kind: 'InvalidNameCharacter', name, character });
});

test('a name with a slash is taken, with a warning', () => {
  expect(toolNameWarning('files/read')).toContain('some clients refuse it');
  expect(toolNameWarning('files.read')).toBeUndefined();
});

test.each([
  ['a date', z.object({ at: z.date() }), /Date cannot be represented/],
  ['a transform', z.object({ n: z.string().transform(Number) }), /transform in one direction/],
  ['a preprocess', z.object({ n: z.preprocess(Number, z.number()) }), /transform in one direction/],
  [
    'a transform inside a codec',
    z.object({
      n: z.codec(
        z.string().transform((s) => s),
        z.string(),
        { decode: (s) => s, encode: (s) => s },
      ),
    }),
    /one direction/,
  ],
])('%s in the input or the output has no schema that goes both ways', (_what, schema, reason) => {
  expect(refused('a', schema)).toEqual({
    kind: 'MissingInputSchema',
    name: 'a',
    reason: expect.stringMatching(reason) as string,
  });
  expect(refused('a', input, schema)).toEqual({
    kind: 'MissingOutputSchema',
    name: 'a',
    reason: expect.stringMatching(reason) as string,
  });
});

test.each([
  ['string', z.string()],
  ['array', z.array(z.string())],
  ['union', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
  ['any value', z.any()],
])('an input that is described as %s is refused', (found, schema) => {
  expect(refused('a', schema)).toEqual({ kind: 'InputSchemaNotObject', name: 'a', found });
  expect(tryDefineContent('a', schema)).toMatchObject({ ok: false, error: { kind: 'InputSchemaNotObject' } });
});

test.each([
  ['a record', z.record(z.string(), z.number())],
  ['a named object', z.object({ a: z.string() }).meta({ id: 'Named' })],
  [
    'a recursive object',
    z.object({
      name: z.string(),
      get parts() {
        return z.array(z.unknown());
      },
    }),
  ],
  [
    'a codec of an object',
    z.codec(input, z.string(), { decode: ({ name }) => name, encode: (name) => ({ name }) }),
  ],
])('%s is an input, published with the type at its root', (_what, schema) => {
  expect(define('a', schema, z.string()).inputCodec.wire).toMatchObject({ type: 'object' });
});

test.each([z.string(), z.array(z.number()), z.any(), z.null(), z.union([z.string(), z.number()]), date])(
  'an output may be anything that has a schema',
  (schema) => {
    expect(tryDefine('a', input, schema)).toMatchObject({ ok: true });
  },
);

test('name, input and output are looked at in this order', () => {
  expect(refused('', z.string(), z.date()).kind).toBe('EmptyName');
  expect(refused('a', z.string(), z.date()).kind).toBe('InputSchemaNotObject');
  expect(refused('a', input, z.date()).kind).toBe('MissingOutputSchema');
});

test('define throws what tryDefine returns, in words that name the tool', () => {
  for (const attempt of [() => define('a b', input, z.string()), () => defineContent('a b', input)]) {
    const error = thrown(attempt);
    expect(error.type).toBe('Holdpoint.Tool.InvalidDefinition');
    expect(error.data).toEqual({ error: refused('a b') });
    expect(error.message).toBe(describeDefineError(refused('a b')));
    expect(error.message).toContain('tool a b');
  }
});

test('each error is described in one line that says what to do', () => {
  const errors: DefineError[] = [
    { kind: 'EmptyName' },
    { kind: 'NameTooLong', name: 'n', max: 128, actual: 129 },
    { kind: 'InvalidNameCharacter', name: 'n', character: ' ' },
    { kind: 'MissingInputSchema', name: 'n', reason: 'why.' },
    { kind: 'InputSchemaNotObject', name: 'n', found: 'string' },
    { kind: 'MissingOutputSchema', name: 'n', reason: 'why.' },
    { kind: 'OutputSchemaNotObject', name: 'n', found: 'true' },
  ];
  const lines = errors.map(describeDefineError);
  expect(new Set(lines).size).toBe(errors.length);
  for (const line of lines) expect(line).toMatch(/^[^\n]+\.$/);
});

function thrown(attempt: () => unknown): HoldpointError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof HoldpointError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
