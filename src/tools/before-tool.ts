import { errorMessage } from '../agent/errors';
import type { Hooks, ToolHookContext } from '../agent/hooks';
import { isRecord, type JsonObject } from '../agent/json';
import { requestProblem, toRequestDraft, type RequestDraft } from '../agent/request';
import type { ToolResult } from '../agent/tool';
import { plainObject } from './arguments';
import { isToolResult, suspensionOf, toToolResult } from './tool-result';

/** What the hook decided, checked and plain. */
export type BeforeTool =
  | { readonly is: 'go'; readonly input?: JsonObject; readonly suspend?: RequestDraft }
  | { readonly is: 'result'; readonly result: ToolResult }
  /** The hook failed; the text tells the model (R42). */
  | { readonly is: 'error'; readonly text: string };

/** Asks `beforeTool` about one call. Never rejects: a hook that throws makes an error result (R42). */
export async function askBeforeTool(
  hook: Hooks['beforeTool'],
  input: JsonObject,
  ctx: ToolHookContext,
): Promise<BeforeTool> {
  if (!hook) return { is: 'go' };
  try {
    return readDecision(await hook(input, ctx), ctx.tool);
  } catch (error) {
    return hookError(errorMessage(error));
  }
}

function readDecision(decision: unknown, tool: string): BeforeTool {
  if (decision === undefined || decision === null) return { is: 'go' };
  if (!isRecord(decision)) return hookError('it decided nothing that can be read.');
  const { input, result, suspend } = decision;
  if (result !== undefined) {
    if (!isToolResult(result)) return hookError('its `result` is no {output, isError}.');
    const plain = toToolResult(tool, result);
    // A result that suspends is a suspension (R3), and the call has not run yet.
    const suspension = suspensionOf(plain);
    return suspension ? { is: 'go', suspend: suspension } : { is: 'result', result: plain };
  }
  const replaced = input === undefined ? undefined : plainObject(input);
  if (input !== undefined && !replaced) return hookError('its `input` is no object of arguments.');
  const problem = suspend === undefined ? undefined : requestProblem(suspend);
  if (problem !== undefined) return hookError(`its \`suspend\` is no request. ${problem}`);
  return {
    is: 'go',
    ...(replaced && { input: replaced }),
    ...(suspend !== undefined && {
      suspend: toRequestDraft(plainObject(suspend) as RequestDraft & JsonObject),
    }),
  };
}

function hookError(problem: string): BeforeTool {
  return { is: 'error', text: `The call was not made: the hook beforeTool failed: ${problem}` };
}
