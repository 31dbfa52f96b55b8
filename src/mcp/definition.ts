import type { z } from 'zod';
import { HoldpointError } from '../agent/errors';
import { isRecord, type JsonObject, type JsonSchema } from '../agent/json';
import type { ZodSchema } from '../tools/zod-schema';
import { toCodec, type Codec } from './codec';
import type { ContentBlock, Icon } from './content';
import { describeDefineError, type DefineError } from './define-error';
import { rootType } from './root-type';
import { toolNameError } from './tool-name';

/**
 * The contract of a tool: its name, its metadata, how arguments and results cross the wire. One value serves
 * the agent's list of tools, the MCP server and a typed call. Each `with…` function gives a new one.
 */
export interface Definition<Input, Output> {
  readonly name: string;
  /** Writes the arguments of a call and reads them in the handler. */
  readonly inputCodec: Codec<Input>;
  /** Of the structured result; undefined for a tool that gives content blocks only. */
  readonly outputCodec: Codec<Output> | undefined;
  /** What `tools/list` publishes beside the schemas. Read it with `declaration`. */
  readonly published: Published;
  /** Client capabilities without which a call is refused before the handler runs. */
  readonly requiredClientCapabilities: readonly string[];
}

/** The metadata of a definition. What is unset is left out of the declaration; `false` is published. */
export interface Published {
  readonly title?: string;
  readonly description?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
  readonly icons: readonly Icon[];
  readonly meta: JsonObject;
  /** In place of the schema of the input codec. */
  readonly inputSchema?: JsonSchema;
}

/** What {@link tryDefine} gives. */
export type Defined<Input, Output> =
  | { readonly ok: true; readonly definition: Definition<Input, Output> }
  | { readonly ok: false; readonly error: DefineError };

/**
 * Defines a tool whose result is a structured value. The schemas are zod's; each must have a JSON Schema and
 * a way back, which `z.codec` has and `.transform` has not.
 *
 * ```ts
 * const greet = define('greet', z.object({ name: z.string() }), z.string());
 * ```
 *
 * @throws HoldpointError `Holdpoint.Tool.InvalidDefinition` with `data.error`, a DefineError. For
 * definitions that are made from data there is {@link tryDefine}.
 */
export function define<In extends ZodSchema, Out extends ZodSchema>(
  name: string,
  input: In,
  output: Out,
): Definition<z.output<In>, z.output<Out>> {
  return definitionOf(tryDefine(name, input, output));
}

/** {@link define} that returns what is wrong instead of throwing it. Looks at name, input and output in this order. */
export function tryDefine<In extends ZodSchema, Out extends ZodSchema>(
  name: string,
  input: In,
  output: Out,
): Defined<z.output<In>, z.output<Out>> {
  const admitted = tryDefineContent(name, input);
  if (!admitted.ok) return admitted;
  const codec = toCodec(output);
  if (!codec.ok) return { ok: false, error: { kind: 'MissingOutputSchema', name, reason: codec.reason } };
  const { wire } = codec.codec;
  if (!isRecord(wire))
    return { ok: false, error: { kind: 'OutputSchemaNotObject', name, found: JSON.stringify(wire) } };
  return { ok: true, definition: { ...admitted.definition, outputCodec: codec.codec } };
}

/**
 * Defines a tool whose result is content blocks only.
 *
 * @throws as {@link define} does.
 */
export function defineContent<In extends ZodSchema>(
  name: string,
  input: In,
): Definition<z.output<In>, readonly ContentBlock[]> {
  return definitionOf(tryDefineContent(name, input));
}

/** {@link defineContent} that returns what is wrong instead of throwing it. */
export function tryDefineContent<In extends ZodSchema>(
  name: string,
  input: In,
):
  | { readonly ok: true; readonly definition: ContentDefinition<z.output<In>> }
  | { readonly ok: false; readonly error: DefineError } {
  const unfit = toolNameError(name);
  if (unfit) return { ok: false, error: unfit };
  const codec = toCodec(input);
  if (!codec.ok) return { ok: false, error: { kind: 'MissingInputSchema', name, reason: codec.reason } };
  const found = rootType(codec.codec.wire);
  if (found !== 'object') return { ok: false, error: { kind: 'InputSchemaNotObject', name, found } };
  // MCP wants the word at the root, where a named schema has only a reference.
  const inputCodec = { ...codec.codec, wire: { ...codec.codec.wire, type: 'object' } };
  return {
    ok: true,
    definition: {
      name,
      inputCodec,
      outputCodec: undefined,
      published: { icons: [], meta: {} },
      requiredClientCapabilities: [],
    },
  };
}

/** A definition without a structured result. */
export interface ContentDefinition<Input> extends Definition<Input, readonly ContentBlock[]> {
  readonly outputCodec: undefined;
}

function definitionOf<D>(
  made: { readonly ok: true; readonly definition: D } | { readonly ok: false; readonly error: DefineError },
): D {
  if (made.ok) return made.definition;
  throw new HoldpointError('Holdpoint.Tool.InvalidDefinition', describeDefineError(made.error), {
    error: { ...made.error },
  });
}
