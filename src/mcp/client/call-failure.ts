import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { HoldpointError } from '../../agent/errors';
import { isRecord } from '../../agent/json';
import { errorResult, type ToolResult } from '../../agent/tool';
import { UnusableResult } from './remote-result';
import { NotSent } from './transport';
import { briefly } from './unreachable';

/** After these nobody knows whether the server has carried out the call. */
const LOST: ReadonlySet<string> = new Set([
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.RequestTimeout,
  SdkErrorCode.SendFailed,
]);

/** The server could not be reached, so that nothing was sent. */
export function notReached(server: string, tool: string, error: unknown): HoldpointError {
  const isTold = error instanceof HoldpointError && error.type === 'Holdpoint.Tool.ServerUnreachable';
  return new HoldpointError(
    'Holdpoint.Tool.NotStarted',
    isTold ? error.message : `The MCP server ${server} could not be reached for ${tool}: ${briefly(error)}`,
    { server, tool },
    { cause: error },
  );
}

/**
 * What a failed call means. A refusal of the server is a result that the model reads; where the call may have been
 * carried out, throws `Holdpoint.Tool.OutcomeUnknown` (R33), and where it was not sent `Holdpoint.Tool.NotStarted`.
 */
export function failedCall(server: string, tool: string, error: unknown): ToolResult {
  if (isUnsent(error)) throw notReached(server, tool, error);
  if (error instanceof ProtocolError)
    return errorResult(`The MCP server ${server} refused the call: ${error.message} (${error.code})`);
  if (error instanceof UnusableResult)
    return errorResult(
      `${tool} ran on the MCP server ${server}, but its result cannot be used: ${error.message}`,
    );
  if (error instanceof SdkHttpError && isRefusal(error.status))
    return errorResult(`The MCP server ${server} refused the call with HTTP status ${error.status}.`);
  const lost = !(error instanceof SdkError) || LOST.has(error.code) || error instanceof SdkHttpError;
  if (!lost)
    return errorResult(
      `${tool} on the MCP server ${server} gave no result that can be used: ${briefly(error)}`,
    );
  throw new HoldpointError(
    'Holdpoint.Tool.OutcomeUnknown',
    `The MCP server ${server} was lost during ${tool}: ${briefly(error)}`,
    { server, tool },
    { cause: error },
  );
}

/** A connection that never came about, or was over before, carried nothing. One that was cut may have. */
const UNSENT: readonly unknown[] = [
  SdkErrorCode.NotConnected,
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

function isUnsent(error: unknown): boolean {
  for (let at = error, depth = 0; isRecord(at) && depth < 5; at = at['cause'], depth += 1)
    if (at instanceof NotSent || UNSENT.includes(at['code'])) return true;
  return false;
}

function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500;
}
