import { errorMessage } from '../agent/errors';
import type { Hooks, ToolHookContext } from '../agent/hooks';
import type { JsonObject } from '../agent/json';
import { errorResult, type ToolResult } from '../agent/tool';
import { isToolResult, suspensionOf, toToolResult } from './tool-result';

/**
 * Puts a result through `afterTool`. Never rejects. When the hook fails, the result is not shown either:
 * the hook may be what was to take a secret out of it (R42).
 */
export async function applyAfterTool(
  hook: Hooks['afterTool'],
  result: ToolResult,
  ctx: ToolHookContext & { readonly input: JsonObject },
): Promise<ToolResult> {
  if (!hook) return result;
  try {
    const replaced: unknown = await hook(result, ctx);
    if (replaced === undefined || replaced === null) return result;
    if (!isToolResult(replaced)) return hookError(ctx.tool, 'it returned no {output, isError}.');
    const plain = toToolResult(ctx.tool, replaced);
    return suspensionOf(plain) ? hookError(ctx.tool, 'it may not suspend a call that has run.') : plain;
  } catch (error) {
    return hookError(ctx.tool, errorMessage(error));
  }
}

function hookError(tool: string, problem: string): ToolResult {
  return errorResult(`${tool} has a result, but the hook afterTool failed: ${problem}`);
}
