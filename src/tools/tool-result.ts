import { errorMessage } from '../agent/errors';
import { isRecord, jsonSize, type JsonObject } from '../agent/json';
import { isRequestDraft, toRequestDraft, type RequestDraft } from '../agent/request';
import { errorResult, okResult, type ToolResult } from '../agent/tool';

/** Largest result as it would be sent, in bytes of JSON (R38). */
export const MAX_RESULT_BYTES = 1_048_576;
/** The same where a worker keeps what is large elsewhere. The workflow holds it, and a model is to read it. */
export const MAX_STORED_RESULT_BYTES = 4_194_304;

export function isToolResult(value: unknown): value is ToolResult {
  return (
    isRecord(value) &&
    typeof value['output'] === 'string' &&
    typeof value['isError'] === 'boolean' &&
    (value['metadata'] === undefined || isRecord(value['metadata']))
  );
}

/** The request of a result that suspends its call; `undefined` for any other result (R3). */
export function suspensionOf(result: ToolResult): RequestDraft | undefined {
  const draft = result.metadata?.['pending'];
  return isRequestDraft(draft) ? toRequestDraft(draft) : undefined;
}

/**
 * What a handler returned, as a result (R2): a string is the output, a ToolResult passes, any other value
 * is JSON-encoded. `undefined` has no JSON form and gives "".
 */
export function toToolResult(tool: string, value: unknown): ToolResult {
  if (typeof value === 'string') return okResult(value);
  try {
    if (isToolResult(value)) return plainResult(value);
    return okResult(JSON.stringify(value) ?? '');
  } catch (error) {
    return errorResult(`The output of ${tool} cannot be written as JSON: ${errorMessage(error)}`);
  }
}

/** The result with nothing that would be lost on the wire: in process and durable runs see the same (R12). */
function plainResult({ output, isError, metadata }: ToolResult): ToolResult {
  return {
    output,
    isError,
    ...(metadata && { metadata: JSON.parse(JSON.stringify(metadata)) as JsonObject }),
  };
}

/** A run shows the metadata of all its calls at once; the model never sees any. */
const MAX_METADATA_BYTES = 32 * 1024;

function withinMetadata(result: ToolResult): ToolResult {
  const { metadata } = result;
  if (!metadata || 'pending' in metadata) return result;
  const bytes = jsonSize(metadata);
  if (bytes <= MAX_METADATA_BYTES) return result;
  return {
    ...result,
    metadata: { omitted: `${bytes} bytes of metadata; at most ${MAX_METADATA_BYTES} are kept` },
  };
}

/** The result itself, or, over the size that can be sent, an error that names the tool and the size (R38). */
export function withinSize(tool: string, result: ToolResult, maxBytes = MAX_RESULT_BYTES): ToolResult {
  const bytes = jsonSize(result);
  if (bytes <= maxBytes) return withinMetadata(result);
  return errorResult(
    `The result of ${tool} has ${bytes} bytes, more than the ${maxBytes} that a result may have. Ask for less, or have the tool store it and return a reference.`,
  );
}
