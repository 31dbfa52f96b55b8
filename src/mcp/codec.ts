import { z } from 'zod';
import { errorMessage } from '../agent/errors';
import { printPath } from '../agent/problem-words';
import type { Json, JsonSchema } from '../agent/json';
import type { Checked } from '../agent/tool';
import { zodToJsonSchema, type ZodSchema } from '../tools/zod-schema';

/**
 * How values of a tool cross the wire. `decode` reads JSON into what a handler works with, `encode` is the
 * way back; both check by the schema, refinements included.
 */
export interface Codec<Value> {
  /** The schema of the wire form: JSON Schema 2020-12 of what is sent, in both directions. */
  readonly wire: JsonSchema;
  /** JSON as a value, or the sentence that says what does not fit. */
  decode(value: unknown): Promise<Checked<Value>>;
  /** A value as JSON, or the sentence that says what does not fit. */
  encode(value: Value): Promise<Checked<Json>>;
}

/** A codec, or the sentence that says why the schema makes none. */
export type CodecOf<Value> =
  { readonly ok: true; readonly codec: Codec<Value> } | { readonly ok: false; readonly reason: string };

/**
 * The codec of a zod schema. It needs a JSON form of its input side, and the way back: a transform in one
 * direction has none, `z.codec` has.
 */
export function toCodec<S extends ZodSchema>(schema: S): CodecOf<z.output<S>> {
  try {
    const wire = zodToJsonSchema(schema);
    if (isOneWay(schema))
      return { ok: false, reason: 'it holds a transform in one direction. Use z.codec, which has both.' };
    return { ok: true, codec: { wire, decode: decodeBy(schema), encode: encodeBy(schema) } };
  } catch (error) {
    return { ok: false, reason: `${errorMessage(error)}. Use z.codec to give it a JSON form.` };
  }
}

function decodeBy<S extends ZodSchema>(schema: S): Codec<z.output<S>>['decode'] {
  return async (value) => {
    try {
      const parsed = await z.core.safeParseAsync(schema, value);
      return parsed.success ? { ok: true, value: parsed.data } : unfit(parsed.error);
    } catch (error) {
      return { ok: false, problem: `the value could not be read: ${errorMessage(error)}` };
    }
  };
}

function encodeBy<S extends ZodSchema>(schema: S): Codec<z.output<S>>['encode'] {
  return async (value) => {
    try {
      const encoded = await z.core.safeEncodeAsync(schema, value);
      return encoded.success ? { ok: true, value: asJson(encoded.data) } : unfit(encoded.error);
    } catch (error) {
      return { ok: false, problem: `the value could not be written: ${errorMessage(error)}` };
    }
  };
}

/** What JSON keeps of a value. A schema such as `z.any()` takes what JSON has no form for. */
function asJson(value: unknown): Json {
  const text = JSON.stringify(value, (key, inner: unknown) => {
    if (typeof inner === 'number' && !Number.isFinite(inner))
      throw new Error(`${key || 'it'} is ${inner}, which JSON cannot hold`);
    return inner;
  });
  if (text === undefined) throw new Error(`JSON cannot hold ${typeof value}`);
  return JSON.parse(text) as Json;
}

const MAX_PROBLEMS = 5;

function unfit({ issues }: z.core.$ZodError): { ok: false; problem: string } {
  const told = issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => `${printPath(path)}: ${message}`);
  return { ok: false, problem: told.join('; ') };
}

/** Whether the schema, or one inside it, transforms in one direction only. */
function isOneWay(schema: ZodSchema): boolean {
  let found = false;
  for (const io of ['input', 'output'] as const)
    z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema }) => {
        const { def } = zodSchema._zod;
        if (def.type === 'pipe') found ||= [def.in, def.out].some(isTransform);
      },
    });
  return found;
}

function isTransform(schema: z.core.$ZodType): boolean {
  return schema._zod.def.type === 'transform';
}
