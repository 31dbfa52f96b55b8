import type { JsonObject, JsonSchema, Json } from '../agent/json';
import type { Checked } from '../agent/tool';
import { jsonSchemaCheck } from '../tools/json-schema';
import { errorMessage } from '../agent/errors';
import type { Icon } from './content';
import type { Definition } from './definition';

/** The hints of a declaration, and its title again for older clients. An unset one was not published. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as `tools/list` publishes it. */
export interface Declaration {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolAnnotations;
  readonly icons: readonly Icon[];
  readonly meta: JsonObject;
}

/** What `tools/list` publishes for a definition. */
export function declaration<Input, Output>(definition: Definition<Input, Output>): Declaration {
  const { name, inputCodec, outputCodec, published } = definition;
  const { title, description, icons, meta, inputSchema = inputCodec.wire, ...hints } = published;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(outputCodec && { outputSchema: outputCodec.wire }),
    annotations: { ...(title !== undefined && { title }), ...hints },
    icons,
    meta,
  };
}

/** A check of arguments by a declaration's input schema, or the reason why the schema allows none. */
export type InputContract =
  | {
      readonly ok: true;
      /** Gives the value, or the sentence that says what does not fit. */
      readonly check: (value: Json) => Checked<Json>;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Loads the input schema of a declaration, to check arguments before a call. Nothing is fetched: a schema
 * that refers to another document gives a reason instead of a check, and so does one that cannot be used.
 */
export function inputContract({ inputSchema }: Pick<Declaration, 'inputSchema'>): InputContract {
  try {
    return { ok: true, check: jsonSchemaCheck(structuredClone(inputSchema)) };
  } catch (error) {
    return { ok: false, reason: errorMessage(error) };
  }
}
