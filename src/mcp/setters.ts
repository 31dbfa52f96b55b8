import { HoldpointError } from '../agent/errors';
import { isRecord, type JsonObject, type JsonSchema } from '../agent/json';
import type { Icon } from './content';
import type { Definition, Published } from './definition';

/** Sets the title that clients show instead of the name. */
export function withTitle<D extends AnyDefinition>(definition: D, title: string): D {
  return withPublished(definition, { title });
}

/** Sets what a client or a model reads to choose the tool. */
export function withDescription<D extends AnyDefinition>(definition: D, description: string): D {
  return withPublished(definition, { description });
}

/** Says whether the tool leaves its environment as it is. Unset hints are not published. */
export function withReadOnlyHint<D extends AnyDefinition>(definition: D, hint: boolean): D {
  return withPublished(definition, { readOnlyHint: hint });
}

/** Says whether the tool may destroy data. */
export function withDestructiveHint<D extends AnyDefinition>(definition: D, hint: boolean): D {
  return withPublished(definition, { destructiveHint: hint });
}

/** Says whether repeating a call changes nothing more. */
export function withIdempotentHint<D extends AnyDefinition>(definition: D, hint: boolean): D {
  return withPublished(definition, { idempotentHint: hint });
}

/** Says whether the tool reaches systems outside your own. */
export function withOpenWorldHint<D extends AnyDefinition>(definition: D, hint: boolean): D {
  return withPublished(definition, { openWorldHint: hint });
}

/** Replaces the icons that a client may show. */
export function withIcons<D extends AnyDefinition>(definition: D, icons: readonly Icon[]): D {
  return withPublished(definition, { icons });
}

/** Replaces the declaration's `_meta`. */
export function withMeta<D extends AnyDefinition>(definition: D, meta: JsonObject): D {
  return withPublished(definition, { meta });
}

/**
 * Publishes this document as the input schema, as it is, instead of the input codec's. The codec still
 * reads every call.
 *
 * @throws HoldpointError `Holdpoint.Tool.InvalidDefinition` when it is not a JSON object.
 */
export function withInputSchema<D extends AnyDefinition>(definition: D, inputSchema: JsonSchema): D {
  const given: unknown = inputSchema;
  if (!isRecord(given))
    throw new HoldpointError(
      'Holdpoint.Tool.InvalidDefinition',
      `The input schema given to tool ${definition.name} is not a JSON object. Pass a JSON Schema document.`,
      { name: definition.name },
    );
  // A copy: what is published must not change behind the back of those who listed it.
  return withPublished(definition, { inputSchema: structuredClone(inputSchema) });
}

/**
 * Names client capabilities, such as `elicitation`, that a call needs. A call of a client without them is
 * refused with -32021 before the handler runs.
 */
export function withRequiredClientCapabilities<D extends AnyDefinition>(
  definition: D,
  capabilities: readonly string[],
): D {
  return { ...definition, requiredClientCapabilities: [...new Set(capabilities)] };
}

/** A definition of any input and output. */
export type AnyDefinition = Pick<
  Definition<never, never>,
  'name' | 'published' | 'requiredClientCapabilities'
>;

function withPublished<D extends AnyDefinition>(definition: D, change: Partial<Published>): D {
  return { ...definition, published: { ...definition.published, ...change } };
}
