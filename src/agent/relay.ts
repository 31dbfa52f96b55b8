import type { Answer } from './answer';
import { isRecord, type JsonObject, type JsonSchema } from './json';
import type { Request } from './request';

/** Kind of a request whose calls the host executes. */
export const RELAY_KIND = 'tool_call';
/** Key of `Answer.data` for the one open call's output. */
export const RELAY_OUTPUT_KEY = 'output';
/** Key of `Answer.data` that says the host's tool failed. */
export const RELAY_IS_ERROR_KEY = 'isError';

/** One call that the host executes (R20). */
export interface RelayCall {
  readonly id: string;
  readonly name: string;
  /** The parsed arguments. */
  readonly input: JsonObject;
  /** The provider's raw argument string, byte for byte (R18). */
  readonly arguments: string;
  /** What the result is checked by; absent where any text will do, and where it is large. */
  readonly outputSchema?: JsonSchema;
}

/** The host's result of one call. */
export interface RelayResult {
  readonly id: string;
  readonly output: string;
  /** Default false. */
  readonly isError?: boolean;
}

/** True for a request whose calls the host executes; false for other kinds and for no request. */
export function isRelayRequest(request: Request | undefined): boolean {
  return request?.kind === RELAY_KIND;
}

/** The calls of a relay request in call order; [] for other kinds and for no request. */
export function relayCallsOf(request: Request | undefined): readonly RelayCall[] {
  const calls = isRelayRequest(request) ? request?.data?.['calls'] : undefined;
  if (!Array.isArray(calls)) return [];
  return (calls as readonly unknown[]).flatMap((call) =>
    isRecord(call) && typeof call['id'] === 'string' && typeof call['name'] === 'string'
      ? [
          {
            id: call['id'],
            name: call['name'],
            input: isRecord(call['input']) ? (call['input'] as JsonObject) : {},
            arguments: typeof call['arguments'] === 'string' ? call['arguments'] : '',
            ...(isRecord(call['outputSchema']) && { outputSchema: call['outputSchema'] as JsonSchema }),
          },
        ]
      : [],
  );
}

/**
 * Answers a relay request with results, one per call id. Results for some of the calls are kept and the
 * request stays open for the rest (R23).
 *
 * ```ts
 * const results = relayCallsOf(halted.pending).map((call) => ({ id: call.id, output: execute(call) }));
 * await client.runWithAnswer(halted.runId, relayAnswer(halted.pending.id, results));
 * ```
 */
export function relayAnswer(requestId: string, results: readonly RelayResult[]): Answer {
  return { id: requestId, ok: true, data: { results: results.map((result) => ({ ...result })) } };
}

/** Answers a request that has one call left open with that call's output (R22). */
export function answerOutput(
  requestId: string,
  output: string,
  options: { readonly isError?: boolean } = {},
): Answer {
  const { isError } = options;
  return {
    id: requestId,
    ok: true,
    data: { [RELAY_OUTPUT_KEY]: output, ...(isError !== undefined && { [RELAY_IS_ERROR_KEY]: isError }) },
  };
}

/** Declines a request. An empty reason counts as "declined". */
export function answerDeclined(requestId: string, reason = 'declined'): Answer {
  return { id: requestId, ok: false, reason: reason === '' ? 'declined' : reason };
}
