import type { z } from 'zod';
import type { JsonSchema } from '../agent/json';
import type {
  NeedsApproval,
  Tool,
  ToolContext,
  ToolHints,
  ToolResult,
  UnknownOutcomePolicy,
} from '../agent/tool';
import type { ApprovalOptions } from './approval-policy';
import { buildTool, TOOL_OPTIONS } from './build-tool';
import type { Duration } from './duration';
import type { ArgsOf, SchemaInput } from './schema';
import type { ZodSchema } from './zod-schema';

/** What `execute` may return: with a zod `outputSchema`, a value of it, its JSON text, or a ToolResult. */
type Returned<Out> = Out extends ZodSchema ? z.input<Out> | string | ToolResult : unknown;

/** Options of {@link defineTool}. Only `name`, `description` and `execute` are needed. */
export interface ToolOptions<
  In extends SchemaInput = JsonSchema,
  Out extends SchemaInput = JsonSchema,
> extends ApprovalOptions {
  /** 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  /** What the model reads to decide whether to call it. */
  readonly description: string;
  /** Default: an object without properties. */
  readonly inputSchema?: In;
  /** Checked on every output that is not an error. */
  readonly outputSchema?: Out;
  /** What it does to the world. Default: unknown. */
  readonly hints?: ToolHints;
  /** Budget of one execution in milliseconds. Default 0, no budget of its own (R9). */
  readonly timeoutMs?: number;
  /** Runs alone, after its message's other calls. Default false (R14). */
  readonly exclusive?: boolean;
  /** What to do when a worker died and nobody knows whether the call took effect (R33). */
  readonly onUnknownOutcome?: UnknownOutcomePolicy;
  /** Task queue of the worker that runs it, where it is not the run's own. */
  readonly taskQueue?: string;
  /** `true`, or a predicate; anything but `false` from it asks a person first (R42). Default: never asks. */
  readonly needsApproval?: NeedsApproval<ArgsOf<In>>;
  /** How long an approval stays open: milliseconds or `'30 minutes'`. Default: until answered. */
  readonly expiresIn?: Duration;
  /** Runs on checked arguments. A throw becomes an error result for the model (R2). */
  readonly execute: (args: ArgsOf<In>, ctx: ToolContext) => Returned<Out> | Promise<Returned<Out>>;
}

/**
 * Defines a tool that the worker executes. The result of `execute` reaches the model as text: a string as
 * it is, any other value as JSON, `undefined` as "".
 *
 * ```ts
 * const inputSchema = z.object({ order: z.number() });
 * const lookup = defineTool({ name: 'lookup', description: 'Find an order', inputSchema, execute: ({ order }) => find(order) });
 * ```
 *
 * @throws HoldpointError `Holdpoint.Tool.InvalidDefinition` for a wrong or unknown option, or a schema
 * without a JSON form.
 */
export function defineTool<In extends SchemaInput = JsonSchema, Out extends SchemaInput = JsonSchema>(
  options: ToolOptions<In, Out>,
): Tool {
  return buildTool(options, 'native', TOOL_OPTIONS);
}
