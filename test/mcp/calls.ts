import type { Call } from '../../src/mcp/call';

/** A call as a transport would make it, for tests that run a tool by hand. */
export function aCall(known: Partial<Call> = {}): Call {
  return {
    context: undefined,
    inputResponses: {},
    invocationId: 1,
    requestId: 1,
    idempotencyKey: undefined,
    clientInfo: undefined,
    correlation: 'c-1',
    signal: new AbortController().signal,
    reportProgress: () => undefined,
    ...known,
  };
}
