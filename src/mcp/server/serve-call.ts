import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Json } from '../../agent/json';
import { TOOL_FAILED, type ToolCallResult } from '../bound-tool';
import type { ClientInfo, RequestId } from '../call';
import { missingCapabilities } from '../capabilities';
import type { Declaration } from '../declaration';
import type { InputRequests } from '../input-request';
import type { InvocationLimits } from '../invoke';
import { idempotencyKeyFrom } from '../meta-keys';
import type { ProgressReport } from '../progress';
import { errorMessage } from '../tool-error';
import { isTooDeep, MAX_NESTING } from './nesting';
import type { Once } from './once';
import type { McpPrincipal } from './options';
import type { AskedRound, CallIdentity, RequestStates } from './request-state';

/** One `tools/call` as it arrived. */
export interface ArrivedCall {
  readonly arguments: Json;
  readonly principal: McpPrincipal | undefined;
  readonly requestId: RequestId;
  readonly meta: unknown;
  readonly clientInfo: ClientInfo | undefined;
  readonly capabilities: unknown;
  /** Undefined over stdio. */
  readonly headers: Headers | undefined;
  /** It came over HTTP from a client of an earlier revision, of which nothing is known but this one request. */
  readonly isPastAsking: boolean;
  readonly requestState: string | undefined;
  readonly inputResponses: unknown;
  readonly signal: AbortSignal;
  readonly sendProgress?: (report: ProgressReport) => void | Promise<void>;
}

/** What is sent back. */
export type ServedCall =
  | { readonly kind: 'result'; readonly result: ToolCallResult }
  | { readonly kind: 'input'; readonly requests: InputRequests; readonly requestState: string };

/** How calls are served. */
export interface CallRules extends InvocationLimits {
  /** What the server calls itself. */
  readonly server: string;
  readonly states: RequestStates;
  readonly once: Once;
  /** How long a call waits for its run, in milliseconds. */
  readonly runWaitMs: number;
  readonly report: (failure: unknown) => void;
}

/** A call whose key and capabilities are in order. */
export interface AdmittedCall extends ArrivedCall {
  readonly idempotencyKey: string | undefined;
}

/** Something that is listed and called as a tool. */
export interface ServedTool {
  readonly declaration: Declaration;
  readonly requiredClientCapabilities: readonly string[];
  serve(call: AdmittedCall, rules: CallRules): Promise<ServedCall>;
}

const MISSING_CAPABILITY = -32021;

/** Why nobody can be asked at such a client, whatever it declared when it connected. */
export const PAST_ASKING =
  'This client speaks a revision of MCP before 2026-07-28, and nobody can be asked over HTTP at such a client.';

/**
 * Serves one `tools/call`. Throws ProtocolError for a request that is refused as a whole: an invalid key, a client
 * without the capabilities that the tool needs. Of what else goes wrong the client learns nothing.
 */
export async function serveCall(tool: ServedTool, call: ArrivedCall, rules: CallRules): Promise<ServedCall> {
  const key = idempotencyKeyFrom(call.meta);
  if (!key.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, key.problem);
  const missing = missingCapabilities(tool.requiredClientCapabilities, call.capabilities);
  if (missing) throw lacking(missing, call);
  if ([call.arguments, call.inputResponses].some(isTooDeep))
    return failure(
      `Invalid arguments for ${tool.declaration.name}: they, or the responses, are nested deeper than ${MAX_NESTING} levels.`,
    );
  try {
    return await tool.serve({ ...call, idempotencyKey: key.key }, rules);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    // The SDK would send the message of anything else, and its data, to the client.
    rules.report(error);
    return failure(TOOL_FAILED);
  }
}

/** What a state is bound to. */
export function aboutOf(
  tool: string,
  call: ArrivedCall,
  { server }: Pick<CallRules, 'server'>,
): CallIdentity {
  return { server, tool, arguments: call.arguments, principal: callerOf(call) };
}

/** One word for who calls; the empty one where nobody is told apart. Two tenants may have keys of one name. */
export function callerOf({ principal }: Pick<ArrivedCall, 'principal'>): string {
  return principal ? JSON.stringify([principal.tenant ?? null, principal.id]) : '';
}

/** Throws ProtocolError for a state that is not one of this very call. */
export async function verified(
  { states, report }: CallRules,
  state: string,
  about: CallIdentity,
): Promise<AskedRound> {
  try {
    return await states.verify(state, about);
  } catch (error) {
    report(error);
    // Why is nothing that whoever forged it should learn.
    throw invalidState();
  }
}

/** The state cannot be used, or not any more. */
export function invalidState(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState.', {
    reason: 'invalid_request_state',
  });
}

/** A result that says what went wrong. */
export function failure(text: string): { kind: 'result'; result: ToolCallResult } {
  return { kind: 'result', result: { ...errorMessage(text), isError: true } };
}

/** The client lacks what the call needs. */
export function lacking(
  requiredCapabilities: Record<string, unknown>,
  { isPastAsking }: Pick<ArrivedCall, 'isPastAsking'>,
): ProtocolError {
  const names = Object.keys(requiredCapabilities).join(', ');
  const needs = `The call needs a client that declares ${names}.`;
  return new ProtocolError(MISSING_CAPABILITY, isPastAsking ? `${needs} ${PAST_ASKING}` : needs, {
    requiredCapabilities,
  });
}
