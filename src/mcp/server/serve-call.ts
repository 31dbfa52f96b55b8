import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import type { Json } from '../../agent/json';
import type { BoundTool, RoundOutcome, ToolCallResult } from '../bound-tool';
import type { ClientInfo, RequestId } from '../call';
import { missingCapabilities, offerTo } from '../capabilities';
import type { InputRequests } from '../input-request';
import { invoke, type Invocation, type InvocationLimits } from '../invoke';
import { correlationFrom, idempotencyKeyFrom } from '../meta-keys';
import type { ProgressReport } from '../progress';
import { errorMessage } from '../tool-error';
import { responsesTo, type InputResponses } from './input-responses';
import type { RequestStates } from './request-state';

/** One `tools/call` as it arrived. */
export interface ArrivedCall<Context> {
  readonly tool: BoundTool<Context>;
  readonly arguments: Json;
  readonly principal: string;
  readonly context: Context;
  readonly requestId: RequestId;
  readonly meta: unknown;
  readonly clientInfo: ClientInfo | undefined;
  readonly capabilities: unknown;
  readonly correlationHeader: string | undefined;
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
  readonly states: RequestStates;
  readonly report: (failure: unknown) => void;
}

/** A handler that goes on asking would keep a person busy for ever. */
const MAX_ROUNDS = 10;
const MISSING_CAPABILITY = -32021;

/**
 * Serves one `tools/call`: checks what the client sent, runs one round of the handler, and signs what the
 * client has to hand back when the handler asks for input.
 *
 * Throws ProtocolError for a request that is refused as a whole.
 */
export async function serveCall<Context>(call: ArrivedCall<Context>, rules: CallRules): Promise<ServedCall> {
  const { tool, principal, requestState } = call;
  const key = idempotencyKeyFrom(call.meta);
  if (!key.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, key.problem);
  const missing = missingCapabilities(tool.definition.requiredClientCapabilities, call.capabilities);
  if (missing) throw lacking(missing);

  const about = { tool: tool.definition.name, arguments: call.arguments, principal };
  const asked = requestState === undefined ? undefined : await verified(rules, requestState, about);
  const run = (inputResponses: InputResponses): Promise<RoundOutcome> =>
    runRound(call, key.key, inputResponses, rules);
  const ask = async (requests: InputRequests, round: number): Promise<ServedCall> => ({
    kind: 'input',
    requests,
    requestState: await rules.states.sign({ ...about, round, requests }),
  });

  let round = asked?.round ?? 0;
  let responses: InputResponses | undefined = {};
  if (asked) {
    responses = responsesTo(asked.requests, call.inputResponses);
    // Asked again rather than refused: a person may have left a field empty.
    if (!responses) return ask(asked.requests, round);
  }
  for (;;) {
    const outcome = await run(responses);
    if (outcome.kind === 'result') return outcome;
    const offer = offerTo(outcome.requests, call.capabilities);
    if (!offer.ok) throw lacking(offer.requiredCapabilities);
    round += 1;
    if (round > MAX_ROUNDS) return failure(`The tool asked for input more than ${MAX_ROUNDS} times.`);
    // A client may know the questions beforehand and send its responses with the first request.
    const ahead = round === 1 ? responsesTo(offer.requests, call.inputResponses) : undefined;
    if (!ahead) return ask(offer.requests, round);
    responses = ahead;
  }
}

async function verified(
  { states, report }: CallRules,
  state: string,
  about: { tool: string; arguments: Json; principal: string },
): ReturnType<RequestStates['verify']> {
  try {
    return await states.verify(state, about);
  } catch (error) {
    report(error);
    // Why is nothing that whoever forged it should learn.
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState.', {
      reason: 'invalid_request_state',
    });
  }
}

async function runRound<Context>(
  call: ArrivedCall<Context>,
  idempotencyKey: string | undefined,
  inputResponses: InputResponses,
  { report, timeoutMs, graceMs }: CallRules,
): Promise<RoundOutcome> {
  const { sendProgress } = call;
  const invocation: Invocation<Context> = {
    context: call.context,
    inputResponses,
    requestId: call.requestId,
    idempotencyKey,
    clientInfo: call.clientInfo,
    correlation: correlationFrom(undefined, call.correlationHeader, call.meta) ?? randomUUID(),
    signal: call.signal,
    report,
    ...(sendProgress && { sendProgress }),
  };
  const outcome = await invoke(call.tool, call.arguments, invocation, {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(graceMs !== undefined && { graceMs }),
  });
  if (outcome.kind !== 'stopped') return outcome;
  return failure(outcome.why === 'timeout' ? 'Tool execution timed out.' : 'Tool execution was cancelled.');
}

function failure(text: string): { kind: 'result'; result: ToolCallResult } {
  return { kind: 'result', result: { ...errorMessage(text), isError: true } };
}

function lacking(requiredCapabilities: Record<string, unknown>): ProtocolError {
  const names = Object.keys(requiredCapabilities).join(', ');
  return new ProtocolError(MISSING_CAPABILITY, `The call needs a client that declares ${names}.`, {
    requiredCapabilities,
  });
}
