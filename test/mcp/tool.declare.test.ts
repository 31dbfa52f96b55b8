import { z } from 'zod';
import { declaration, inputContract } from '../../src/mcp/declaration';
import { define, defineContent } from '../../src/mcp/definition';
import { handle, toolDeclaration } from '../../src/mcp/bound-tool';
import { inputMethodName } from '../../src/mcp/input-request';
import { ok } from '../../src/mcp/result';
import {
  withDescription,
  withDestructiveHint,
  withIcons,
  withIdempotentHint,
  withInputSchema,
  withMeta,
  withOpenWorldHint,
  withReadOnlyHint,
  withRequiredClientCapabilities,
  withTitle,
} from '../../src/mcp/setters';

const greet = define('greet', z.object({ name: z.string() }), z.string());
const wire = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
};

test('what is unset is left out', () => {
  expect(declaration(greet)).toEqual({
    name: 'greet',
    inputSchema: wire,
    outputSchema: { type: 'string' },
    annotations: {},
    icons: [],
    meta: {},
  });
});

test('a tool of content blocks declares no output', () => {
  expect(declaration(defineContent('look', z.object({})))).not.toHaveProperty('outputSchema');
});

test('a hint that is false is published', () => {
  const quiet = [withReadOnlyHint, withDestructiveHint, withIdempotentHint, withOpenWorldHint].reduce(
    (definition, set) => set(definition, false),
    greet,
  );
  expect(declaration(quiet).annotations).toEqual({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  });
});

test('each setter gives a new definition and leaves the old one', () => {
  const titled = withTitle(withDescription(greet, 'Greets'), 'Greeting');
  expect(declaration(titled)).toMatchObject({
    title: 'Greeting',
    description: 'Greets',
    annotations: { title: 'Greeting' },
  });
  expect(declaration(greet)).not.toHaveProperty('title');
});

test('icons and meta replace what was set before', () => {
  const first = withMeta(withIcons(greet, [{ src: 'https://example.com/a.png' }]), { a: 1 });
  const second = withMeta(withIcons(first, [{ src: 'https://example.com/b.png' }]), { b: 2 });
  expect(declaration(second)).toMatchObject({
    icons: [{ src: 'https://example.com/b.png' }],
    meta: { b: 2 },
  });
  expect(declaration(second).meta).not.toHaveProperty('a');
});

test('an input schema of its own is published as it is, and later changes to it are not', () => {
  const document = { type: 'object', title: 'Anything', additionalProperties: true };
  const own = withInputSchema(greet, document);
  document.title = 'changed';
  expect(declaration(own).inputSchema).toEqual({
    type: 'object',
    title: 'Anything',
    additionalProperties: true,
  });
});

test.each([[[]], [null], ['{}'], [true]])('an input schema that is %j is refused', (given) => {
  expect(() => withInputSchema(greet, given as never)).toThrow(/tool greet is not a JSON object/);
});

test('required capabilities are named once', () => {
  expect(
    withRequiredClientCapabilities(greet, ['elicitation', 'elicitation', 'roots']).requiredClientCapabilities,
  ).toEqual(['elicitation', 'roots']);
});

test('a bound tool declares what its definition declares', () => {
  expect(toolDeclaration(handle(greet, ({ name }) => ok(name)))).toEqual(declaration(greet));
});

test('the schemas of dates are those of what is sent, in both directions', () => {
  const date = z.codec(z.iso.date(), z.date(), {
    decode: (text) => new Date(text),
    encode: (at) => at.toISOString().slice(0, 10),
  });
  const book = declaration(define('book', z.object({ on: date }), z.object({ on: date })));
  expect(book.inputSchema).toMatchObject({ properties: { on: { type: 'string', format: 'date' } } });
  expect(book.outputSchema).toMatchObject({ properties: { on: { type: 'string', format: 'date' } } });
});

test('a contract checks arguments by the published schema', () => {
  const contract = inputContract(declaration(greet));
  if (!contract.ok) throw new Error(contract.reason);
  expect(contract.check({ name: 'a' })).toEqual({ ok: true, value: { name: 'a' } });
  expect(contract.check({})).toMatchObject({ ok: false });
});

test.each([
  [{ type: 'object', properties: { a: { $ref: 'https://example.com/schema.json' } } }],
  [{ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
])('a schema that cannot be used gives a reason, and nothing is fetched: %j', (inputSchema) => {
  expect(inputContract({ inputSchema })).toMatchObject({ ok: false, reason: expect.any(String) as string });
});

test.each([
  ['elicitation', 'elicitation/create'],
  ['sampling', 'sampling/createMessage'],
  ['roots', 'roots/list'],
] as const)('%s is called %s on the wire', (method, name) => {
  expect(inputMethodName(method)).toBe(name);
});
