import { errorMessage } from '../agent/errors';
import { isNoResult } from '../agent/no-result';
import { errorResult, type ToolResult } from '../agent/tool';
import { toToolResult } from './tool-result';

/**
 * Runs a handler. Whatever it returns or throws becomes a result, so its siblings are not affected (R2); but for
 * the two errors by which it says that there is none (`isNoResult`).
 */
export async function runHandler(tool: string, handler: () => unknown): Promise<ToolResult> {
  try {
    return toToolResult(tool, await handler());
  } catch (thrown) {
    if (isNoResult(thrown)) throw thrown;
    return errorResult(errorMessage(thrown));
  }
}
