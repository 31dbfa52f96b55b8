import { isRecord, type Json, type JsonObject } from '../../agent/json';
import type { ToolCallResult } from '../bound-tool';
import type { ContentBlock } from '../content';
import { inputMethodName, type InputMethod, type InputRequest } from '../input-request';
import type { RemoteOutcome } from './connection';

/** A server answered with what no client can use. */
export class UnusableResult extends Error {
  override readonly name = 'UnusableResult';
}

/** Reads what a server answered to `tools/call`. Throws {@link UnusableResult}. */
export function readRemoteResult(answer: unknown): RemoteOutcome {
  if (!isRecord(answer)) throw new UnusableResult('The server answered with no object.');
  const { resultType, content, structuredContent, isError, _meta } = answer;
  if (resultType === 'input_required') return readRound(answer);
  if (resultType !== undefined && resultType !== 'complete')
    throw new UnusableResult(
      `The server answered with a result of the unknown type ${JSON.stringify(resultType)}.`,
    );
  const result: ToolCallResult = {
    content: (Array.isArray(content) ? content : []) as ContentBlock[],
    ...(structuredContent !== undefined && { structuredContent: structuredContent as Json }),
    ...(isError === true && { isError: true }),
    ...ownMeta(_meta),
  };
  return { kind: 'result', result };
}

/** What the server says of the result. The protocol's own keys are of the connection. */
function ownMeta(meta: unknown): Pick<ToolCallResult, '_meta'> {
  const own = Object.entries(isRecord(meta) ? meta : {}).filter(([key]) => !key.startsWith(PROTOCOL));
  return own.length > 0 ? { _meta: Object.fromEntries(own) as JsonObject } : {};
}

const PROTOCOL = 'io.modelcontextprotocol/';

function readRound({ inputRequests, requestState }: Record<string, unknown>): RemoteOutcome {
  const requests = isRecord(inputRequests) ? inputRequests : {};
  return {
    kind: 'input',
    requests: Object.fromEntries(
      Object.entries(requests).map(([key, request]) => [key, readRequest(request)]),
    ),
    requestState: typeof requestState === 'string' ? requestState : undefined,
  };
}

const METHODS: readonly InputMethod[] = ['elicitation', 'sampling', 'roots'];

function readRequest(request: unknown): InputRequest {
  const { method, params } = isRecord(request) ? request : {};
  const known = METHODS.find((name) => inputMethodName(name) === method);
  if (!known)
    throw new UnusableResult(`The server asks for input by the unknown method ${JSON.stringify(method)}.`);
  return { method: known, params: (isRecord(params) ? params : {}) as JsonObject };
}
