import { errorMessage } from '../agent/errors';
import { errorResult, type ToolResult } from '../agent/tool';
import { toToolResult } from './tool-result';

/** Runs a handler. Whatever it returns or throws becomes a result, so its siblings are not affected (R2). */
export async function runHandler(tool: string, handler: () => unknown): Promise<ToolResult> {
  try {
    return toToolResult(tool, await handler());
  } catch (thrown) {
    return errorResult(errorMessage(thrown));
  }
}
