import { randomUUID } from 'node:crypto';
import { toolDeclaration, type BoundTool } from '../bound-tool';
import { offerTo } from '../capabilities';
import type { InputRequests } from '../input-request';
import { invoke, type Invocation, type Invoked } from '../invoke';
import { correlationFrom } from '../meta-keys';
import { withReasons } from './asked-again';
import { responsesTo, type InputResponses } from './input-responses';
import type { Ended } from './once';
import type { AskedRound, CallIdentity } from './request-state';
import {
  aboutOf,
  failure,
  invalidState,
  lacking,
  verified,
  type AdmittedCall,
  type ArrivedCall,
  type CallRules,
  type ServedTool,
} from './serve-call';

/** A handler that goes on asking would keep a person busy for ever. */
const MAX_ROUNDS = 10;

/** A bound tool as it is served: one round of its handler for each request, and a signed state between two. */
export function servedTool<Context>(
  tool: BoundTool<Context>,
  contextOf: (call: ArrivedCall) => Context | Promise<Context>,
): ServedTool {
  const declared = toolDeclaration(tool);
  const { readOnlyHint, idempotentHint } = declared.annotations;
  return {
    declaration: declared,
    requiredClientCapabilities: tool.definition.requiredClientCapabilities,
    async serve(call, rules) {
      const { requestState, idempotencyKey: key, signal } = call;
      const about = aboutOf(declared.name, call, rules);
      const asked = requestState === undefined ? undefined : await verified(rules, requestState, about);
      // One of a run is an agent's, which another server may have by this name.
      if (asked?.runId !== undefined) throw invalidState();
      const carryOut = async (until: AbortSignal): Promise<Ended> =>
        runRounds(
          { tool, about, rules, call: { ...call, signal: until }, context: await contextOf(call) },
          asked,
        );
      if (key === undefined) return (await carryOut(signal)).served;
      const isRepeatable = readOnlyHint === true || idempotentHint === true;
      return rules.once({ about, key, isRepeatable, signal }, carryOut);
    },
  };
}

/** A call of a tool. */
interface ToolCall<Context> {
  readonly tool: BoundTool<Context>;
  readonly about: CallIdentity;
  readonly call: AdmittedCall;
  readonly context: Context;
  readonly rules: CallRules;
}

/** Runs the round after the one that was asked, and those that the client has answered ahead. */
async function runRounds<Context>(
  toolCall: ToolCall<Context>,
  asked: AskedRound | undefined,
): Promise<Ended> {
  const { about, call, rules } = toolCall;
  const ask = async (
    requests: InputRequests,
    round: number,
    reasons: ReadonlyMap<string, string> = new Map(),
  ): Promise<Ended> => ({
    served: {
      kind: 'input',
      requests: withReasons(requests, reasons),
      // Without the reasons, which are not the tool's words.
      requestState: await rules.states.sign({ ...about, round, requests }),
    },
    as: 'unfinished',
  });
  let round = asked?.round ?? 0;
  let responses: InputResponses = {};
  if (asked) {
    const taken = responsesTo(asked.requests, call.inputResponses);
    // Asked again rather than refused: a person may have left a field empty.
    if (!taken.ok) return ask(asked.requests, round, taken.reasons);
    responses = taken.responses;
  }
  for (;;) {
    const outcome = await runRound(toolCall, responses);
    if (outcome.kind === 'stopped') return stopped(outcome.why);
    if (outcome.kind === 'result') {
      const { result, unfinished } = outcome;
      return { served: { kind: 'result', result }, as: unfinished ? 'unfinished' : 'finished' };
    }
    const offer = offerTo(outcome.requests, call.capabilities);
    if (!offer.ok) throw lacking(offer.requiredCapabilities, call);
    round += 1;
    if (round > MAX_ROUNDS)
      return { served: failure(`The tool asked for input more than ${MAX_ROUNDS} times.`), as: 'unfinished' };
    // A client may know the questions beforehand and send its responses with the first request.
    const ahead = round === 1 ? responsesTo(offer.requests, call.inputResponses) : undefined;
    if (!ahead?.ok) return ask(offer.requests, round);
    responses = ahead.responses;
  }
}

function stopped(why: 'cancelled' | 'timeout'): Ended {
  return why === 'timeout'
    ? { served: failure('Tool execution timed out.'), as: 'unfinished' }
    : { served: failure('Tool execution was cancelled.'), as: 'cancelled' };
}

async function runRound<Context>(
  { tool, call, context, rules }: ToolCall<Context>,
  inputResponses: InputResponses,
): Promise<Invoked> {
  const { sendProgress, headers, meta } = call;
  const { report, timeoutMs, graceMs } = rules;
  const invocation: Invocation<Context> = {
    context,
    inputResponses,
    requestId: call.requestId,
    idempotencyKey: call.idempotencyKey,
    clientInfo: call.clientInfo,
    correlation:
      correlationFrom(undefined, headers?.get('x-correlation-id') ?? undefined, meta) ?? randomUUID(),
    signal: call.signal,
    report,
    ...(sendProgress && { sendProgress }),
  };
  return invoke(tool, call.arguments, invocation, {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(graceMs !== undefined && { graceMs }),
  });
}
