import { errorMessage } from '../agent/errors';
import type { HookContext, Hooks } from '../agent/hooks';
import { jsonSize, type JsonObject } from '../agent/json';
import { toolCallsOf, type AssistantMessage, type ToolCallPart } from '../agent/message';
import type { RequestDraft } from '../agent/request';
import type { AgentRoute, RelayRoute, Route, ToolRoute } from '../agent/route';
import type { Tool } from '../agent/tool';
import { applyAfterTool } from './after-tool';
import { approvalRequest, asksForApproval } from './approval-request';
import { checkArguments, readArguments } from './arguments';
import { askBeforeTool } from './before-tool';
import { withinSize } from './tool-result';

export interface RouteContext extends HookContext {
  /** Milliseconds since the epoch; approval deadlines count from it. */
  readonly now: number;
}

export interface RouteCallsOptions {
  readonly message: AssistantMessage;
  readonly tools: readonly Tool[];
  readonly hooks?: Hooks | undefined;
  readonly ctx: RouteContext;
}

/**
 * Decides where each call of a message goes, in the order of its calls (R5, R20, R42). Never rejects: what
 * goes wrong with one call is an error for the model and does not touch its siblings.
 *
 * A route holds plain JSON as the model or a hook gave it, never what a schema made of it: the worker
 * that executes the call reads it again.
 */
export async function routeCalls({ message, tools, hooks, ctx }: RouteCallsOptions): Promise<Route[]> {
  return Promise.all(
    toolCallsOf(message).map(async (call): Promise<Route> => {
      const tool = tools.find((candidate) => candidate.name === call.function.name);
      if (!tool) return { to: 'error', text: `Unknown tool: ${call.function.name}` };
      try {
        return await routeCall(call, tool, message.content ?? '', hooks, ctx);
      } catch (error) {
        return { to: 'error', text: `${tool.name} could not be called: ${errorMessage(error)}` };
      }
    }),
  );
}

/** They travel beside an answer or a result: 2 MB in all. */
const MAX_REPLACED_BYTES = 262_144;

async function routeCall(
  call: ToolCallPart,
  tool: Tool,
  text: string,
  hooks: Hooks | undefined,
  { now, ...hookContext }: RouteContext,
): Promise<Route> {
  const toolContext = { ...hookContext, callId: call.id, tool: tool.name };
  const asked = readArguments(tool, call.function.arguments);
  if (!asked.ok) return { to: 'error', text: asked.problem };
  const before = await askBeforeTool(hooks?.beforeTool, asked.input, toolContext);
  if (before.is === 'error') return { to: 'error', text: before.text };
  if (before.is === 'result') {
    const result = await applyAfterTool(hooks?.afterTool, before.result, {
      ...toolContext,
      input: asked.input,
    });
    return { to: 'result', result: withinSize(tool.name, result) };
  }
  const effective = before.input ? checkArguments(tool, before.input) : asked;
  if (!effective.ok)
    return { to: 'error', text: `The hook beforeTool replaced the arguments. ${effective.problem}` };
  if (before.input && jsonSize(before.input) > MAX_REPLACED_BYTES)
    return {
      to: 'error',
      text: `The hook beforeTool replaced the arguments of ${tool.name} by more than ${MAX_REPLACED_BYTES} bytes. It must pass a reference.`,
    };
  const holds: RequestDraft[] = before.suspend ? [before.suspend] : [];
  if (await asksForApproval(tool, effective.value, { ...hookContext, callId: call.id }))
    holds.push(
      approvalRequest(tool, {
        callId: call.id,
        input: effective.input,
        arguments: call.function.arguments,
        text,
        now,
      }),
    );
  return { ...routeOf(tool, hooks), ...held(tool, holds, before.input) };
}

/** The schema that checks edited arguments travels only where somebody may edit them (R24). */
export function held(tool: Tool, holds: readonly RequestDraft[], input: JsonObject | undefined) {
  const isApproval = holds.some((hold) => hold.kind === 'approval');
  return {
    ...(input && { input }),
    ...(holds.length > 0 && { holds }),
    ...(isApproval && { inputSchema: tool.inputSchema }),
  };
}

/** The route of a call that nothing holds. */
export function routeOf(tool: Tool, hooks: Hooks | undefined): RelayRoute | ToolRoute | AgentRoute {
  if (tool.agent) return { to: 'agent', agent: tool.agent.name, ...(hooks?.afterTool && { after: true }) };
  return tool.source === 'relay' ? relayRoute(tool, hooks) : toolRoute(tool, hooks);
}

function relayRoute(tool: Tool, hooks: Hooks | undefined): RelayRoute {
  const { expiresInMs, outputSchema } = tool;
  return {
    to: 'relay',
    ...(expiresInMs !== undefined && { expiresInMs }),
    ...(outputSchema && { outputSchema }),
    ...((tool.checkOutput || hooks?.afterTool) && { after: true }),
  };
}

function toolRoute(tool: Tool, hooks: Hooks | undefined): ToolRoute {
  const { timeoutMs, exclusive, taskQueue, onUnknownOutcome, hints } = tool;
  return {
    to: 'tool',
    timeoutMs,
    ...(exclusive && { exclusive }),
    ...(taskQueue !== undefined && { taskQueue }),
    ...(onUnknownOutcome && { onUnknownOutcome }),
    ...((hints.readOnly || hints.idempotent) && { repeatable: true }),
    ...(hints.destructive && { destructive: true }),
    ...(hooks?.afterTool && { after: true }),
  };
}
