import type { JsonSchema } from '../../src/agent/json';
import { z } from 'zod';
import { openaiModel } from '../../src/models/openai';
import { toOutputFormat } from '../../src/models/output-format';
import { scriptedModel } from '../../src/testing/scripted-model';
import { modelRequest } from './model-request';

const schemaOf = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema) as JsonSchema;

const ORDER = schemaOf(
  z.object({
    id: z.string().min(1),
    note: z.string().optional(),
    size: z.enum(['s', 'm']).optional(),
    gift: z.string().nullable().optional(),
    lines: z.array(z.object({ sku: z.string(), count: z.int().min(1).optional() })),
  }),
);

describe('what strict mode is told', () => {
  it('optional fields are required and nullable, objects are closed, bounds it does not know are left out', () => {
    const format = toOutputFormat(ORDER);
    expect(format.strict).toBe(true);
    expect(format.schema).toMatchObject({
      type: 'object',
      required: ['id', 'note', 'size', 'gift', 'lines'],
      additionalProperties: false,
      properties: {
        id: { type: 'string' },
        note: { type: ['string', 'null'] },
        size: { type: ['string', 'null'], enum: ['s', 'm', null] },
        gift: { type: ['string', 'null'] },
        lines: {
          type: 'array',
          items: {
            required: ['sku', 'count'],
            additionalProperties: false,
            properties: { count: { type: ['integer', 'null'], minimum: 1 } },
          },
        },
      },
    });
    expect(JSON.stringify(format.schema)).not.toMatch(/minLength|\$schema/);
  });

  it('definitions are made strict, and an optional reference nullable', () => {
    const address = { type: 'object', properties: { zip: { type: 'string' } } };
    const format = toOutputFormat({
      type: 'object',
      properties: { to: { $ref: '#/$defs/Address' } },
      $defs: { Address: address },
    });
    expect(format.schema).toStrictEqual({
      type: 'object',
      properties: { to: { anyOf: [{ $ref: '#/$defs/Address' }, { type: 'null' }] } },
      required: ['to'],
      additionalProperties: false,
      $defs: {
        Address: {
          type: 'object',
          properties: { zip: { type: ['string', 'null'] } },
          required: ['zip'],
          additionalProperties: false,
        },
      },
    });
  });

  it('alternatives are offered as anyOf, patterns with lookaround and unknown formats not at all', () => {
    const format = toOutputFormat(
      schemaOf(
        z.object({
          by: z.discriminatedUnion('is', [
            z.object({ is: z.literal('mail'), to: z.email() }),
            z.object({ is: z.literal('page'), to: z.url() }),
          ]),
          code: z.string().regex(/^(?!0)\d+$/),
        }),
      ),
    );
    const text = JSON.stringify(format.schema);
    expect(format.strict).toBe(true);
    expect(text).toContain('"anyOf"');
    expect(text).toContain('"format":"email"');
    expect(text).not.toMatch(/oneOf|"pattern"|"uri"/);
  });

  it.each<[string, JsonSchema]>([
    ['a record', schemaOf(z.object({ by: z.record(z.string(), z.number()) }))],
    ['an object of any shape', { type: 'object' }],
    ['any value', { type: 'object', properties: { x: {} } }],
    ['a tuple', schemaOf(z.object({ at: z.tuple([z.number(), z.number()]) }))],
    ['an intersection', { type: 'object', properties: { x: { allOf: [{ type: 'string' }] } } }],
    ['a reference that leads nowhere', { type: 'object', properties: { x: { $ref: '#/$defs/No' } } }],
  ])('%s cannot be expressed, so the schema is sent as it is', (_title, schema) => {
    const format = toOutputFormat(schema);
    expect(format.strict).toBe(false);
    expect(format.schema).toStrictEqual(schema);
  });

  it('alternatives that refer to themselves end', () => {
    const $defs = { A: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'string' }] } };
    const format = toOutputFormat({ type: 'object', properties: { x: { $ref: '#/$defs/A' } }, $defs });
    expect(format.strict).toBe(true);
    expect(format.restore('{"x":null}')).toBe('{}');
  });

  it('a recursive schema is expressed', () => {
    const node = { type: 'object', properties: { next: { $ref: '#' } } };
    expect(toOutputFormat(node)).toMatchObject({
      strict: true,
      schema: { properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } } },
    });
  });
});

describe('what the model wrote is mapped back', () => {
  const restore = (schema: JsonSchema, value: unknown): unknown =>
    JSON.parse(toOutputFormat(schema).restore(JSON.stringify(value)));

  it('a null that stands for an absent field is removed, at every depth', () => {
    const order = { id: '1', note: null, size: null, gift: null, lines: [{ sku: 'a', count: null }] };
    // `gift` takes null itself.
    expect(restore(ORDER, order)).toStrictEqual({ id: '1', gift: null, lines: [{ sku: 'a' }] });
  });

  it('values that are there stay, and so does the text itself', () => {
    const text = '{ "id": "1", "note": "n", "size": "s", "gift": "g", "lines": [] }';
    expect(toOutputFormat(ORDER).restore(text)).toBe(text);
  });

  it('0, false and "" are values', () => {
    const schema = schemaOf(
      z.object({ n: z.number().optional(), b: z.boolean().optional(), s: z.string().optional() }),
    );
    expect(restore(schema, { n: 0, b: false, s: '' })).toStrictEqual({ n: 0, b: false, s: '' });
  });

  it('inside alternatives, following the one the model chose', () => {
    const schema = schemaOf(
      z.object({
        by: z.union([
          z.object({ is: z.literal('a'), x: z.string().optional() }),
          z.object({ is: z.literal('b'), x: z.string().nullable() }),
        ]),
      }),
    );
    expect(restore(schema, { by: { is: 'a', x: null } })).toStrictEqual({ by: { is: 'a' } });
    expect(restore(schema, { by: { is: 'b', x: null } })).toStrictEqual({ by: { is: 'b', x: null } });
  });

  it('through references, recursive ones too', () => {
    const node = { type: 'object', properties: { v: { type: 'number' }, next: { $ref: '#' } } };
    expect(restore(node, { v: 1, next: { v: null, next: null } })).toStrictEqual({ v: 1, next: {} });
  });

  it.each<[string, z.ZodType, unknown]>([
    ['a list', z.array(z.object({ a: z.string() })), [{ a: 'x' }]],
    ['a text', z.string(), 'x'],
    ['a union', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), { b: 'x' }],
    ['null', z.null(), null],
  ])('%s travels inside an object and comes out of it', (_title, schema, value) => {
    const format = toOutputFormat(schemaOf(schema));
    expect(format).toMatchObject({ strict: true, schema: { type: 'object', required: ['value'] } });
    expect(JSON.parse(format.restore(JSON.stringify({ value })))).toStrictEqual(value);
  });

  it('text that is not such JSON is left as it is', () => {
    expect(toOutputFormat(ORDER).restore('I cannot')).toBe('I cannot');
    expect(toOutputFormat(ORDER).restore('[1, 2]')).toBe('[1, 2]');
    expect(toOutputFormat(schemaOf(z.string())).restore('{"other": 1}')).toBe('{"other": 1}');
  });
});

it('the request asks for the schema and the response holds the agent’s own JSON', async () => {
  await using server = await scriptedModel([
    { content: '{"id":"1","note":null,"size":null,"gift":null,"lines":[]}' },
  ]);
  const model = openaiModel({ baseURL: server.baseURL });
  const response = await model.generate(modelRequest({ outputSchema: ORDER }));
  expect(server.requests[0]?.body['response_format']).toMatchObject({
    type: 'json_schema',
    json_schema: {
      name: 'output',
      strict: true,
      schema: { required: ['id', 'note', 'size', 'gift', 'lines'] },
    },
  });
  expect(response.text).toBe('{"id":"1","gift":null,"lines":[]}');
});
