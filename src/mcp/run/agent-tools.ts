import type { JsonObject } from '../../agent/json';
import {
  errorResult,
  type NeedsApproval,
  type Tool,
  type ToolContext,
  type UnknownOutcomePolicy,
} from '../../agent/tool';
import type { ApprovalOptions } from '../../tools/approval-policy';
import { buildTool, TOOL_OPTIONS } from '../../tools/build-tool';
import { durationMs, type Duration } from '../../tools/duration';
import type { BoundTool } from '../bound-tool';
import { missingCapabilities } from '../capabilities';
import { toAgentResult } from '../client/result-text';
import { providerSafeName } from '../client/safe-name';
import { declaration, type ToolAnnotations } from '../declaration';
import { invoke } from '../invoke';
import { capabilitiesOf, type Answerers } from './answerers';
import { notOffered, runInRounds } from './run-in-rounds';

/** A bound tool with what only an agent needs to know of it. */
export interface AgentToolEntry extends ApprovalOptions, Answerers {
  readonly tool: BoundTool<ToolContext>;
  /** As of `defineTool`. */
  readonly needsApproval?: NeedsApproval;
  /** How long an approval or a question of the tool stays open. Default: until answered. */
  readonly expiresIn?: Duration;
  readonly timeoutMs?: number;
  readonly exclusive?: boolean;
  readonly onUnknownOutcome?: UnknownOutcomePolicy;
}

/**
 * Makes bound tools an agent's tools. In a run `call.context` is the tool's context (R7), `call.requestId` the
 * model's id for the call, and what a handler asks for with `requestInput` is a request that the run awaits: the
 * next round runs once it is answered, on whatever worker is there then.
 *
 * ```ts
 * const desk = defineAgent({ name: 'desk', model: 'gpt-5-mini', tools: agentTools(greetTool, { tool: refundTool, needsApproval: true }) });
 * ```
 *
 * A name with `.` or `/` becomes one that providers take: `files.read` is `files_x2e_read`.
 *
 * @throws HoldpointError `Holdpoint.Tool.InvalidDefinition`
 */
export function agentTools(...tools: readonly (BoundTool<ToolContext> | AgentToolEntry)[]): Tool[] {
  return tools.map((given) => toAgentTool('tool' in given ? given : { tool: given }));
}

function toAgentTool({ tool, sampling, roots, ...options }: AgentToolEntry): Tool {
  const { name, description = '', inputSchema, annotations } = declaration(tool.definition);
  const expiresInMs =
    options.expiresIn === undefined ? undefined : durationMs('expiresIn', options.expiresIn);
  const rules = {
    asker: { tool: name },
    ...(sampling && { sampling }),
    ...(roots && { roots }),
    ...(expiresInMs !== undefined && { expiresInMs }),
  };
  const missing = missingCapabilities(tool.definition.requiredClientCapabilities, capabilitiesOf(rules));
  const execute = async (args: JsonObject, ctx: ToolContext) => {
    if (missing) return errorResult(notOffered(name, missing));
    return runInRounds(ctx, rules, async (inputResponses) => {
      const outcome = await invoke(
        tool,
        args,
        {
          context: ctx,
          inputResponses,
          requestId: ctx.callId ?? '',
          idempotencyKey: ctx.idempotencyKey,
          clientInfo: undefined,
          correlation: ctx.runId ?? '',
          signal: ctx.signal,
          sendProgress: ({ progress, total, message }) => ctx.reportProgress(progress, total, message),
        },
        // The run's own budget is the one that counts.
        { timeoutMs: 0 },
      );
      if (outcome.kind === 'input') return outcome;
      if (outcome.kind === 'result') return { kind: 'result', result: toAgentResult(outcome.result) };
      ctx.signal.throwIfAborted();
      throw new Error(`${name} was stopped.`);
    });
  };
  return buildTool(
    {
      ...options,
      name: providerSafeName(name),
      description,
      inputSchema,
      hints: hintsOf(annotations),
      execute: execute,
    },
    'mcp',
    TOOL_OPTIONS,
  );
}

/** Hints of a tool's declaration as an agent's. */
export function hintsOf({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint,
}: ToolAnnotations): Tool['hints'] {
  return {
    ...(readOnlyHint !== undefined && { readOnly: readOnlyHint }),
    ...(destructiveHint !== undefined && { destructive: destructiveHint }),
    ...(idempotentHint !== undefined && { idempotent: idempotentHint }),
    ...(openWorldHint !== undefined && { openWorld: openWorldHint }),
  };
}
