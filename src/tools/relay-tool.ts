import type { JsonSchema } from '../agent/json';
import type { NeedsApproval, Tool, ToolHints } from '../agent/tool';
import type { ApprovalOptions } from './approval-policy';
import { buildTool, RELAY_OPTIONS } from './build-tool';
import type { Duration } from './duration';
import type { ArgsOf, SchemaInput } from './schema';

/** Options of {@link relayTool}. Only `name` and `description` are needed. */
export interface RelayToolOptions<In extends SchemaInput = JsonSchema> extends ApprovalOptions {
  /** 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** Default: an object without properties. */
  readonly inputSchema?: In;
  /**
   * The host's output must fit it; an answer that does not is refused (R24). What only the worker checks (patterns,
   * refinements, outputs over 64 KiB) makes an error result instead. Mind patterns such as `^(a+)+$`: they block the
   * worker.
   */
  readonly outputSchema?: SchemaInput;
  readonly hints?: ToolHints;
  /** A person decides before the call is handed to the host. */
  readonly needsApproval?: NeedsApproval<ArgsOf<In>>;
  /** How long the request stays open: milliseconds or `'30 minutes'`. Default: until answered. */
  readonly expiresIn?: Duration;
}

/**
 * Declares a tool that the host executes (R20): the model sees it like any other, a call of it opens a
 * request of kind `tool_call`, and the host's answer becomes its result.
 *
 * ```ts
 * const stock = relayTool({ name: 'stock', description: 'Units in stock', inputSchema: z.object({ sku: z.string() }) });
 * if (run.status === 'pending') await client.runWithAnswer(run.runId, answerOutput(run.pending.id, '12'));
 * ```
 *
 * @throws HoldpointError `Holdpoint.Tool.InvalidDefinition`
 */
export function relayTool<In extends SchemaInput = JsonSchema>(options: RelayToolOptions<In>): Tool {
  return buildTool(options, 'relay', RELAY_OPTIONS);
}
