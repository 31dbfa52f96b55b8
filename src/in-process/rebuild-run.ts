import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import type { Agent } from '../agent/agent';
import { HoldpointError } from '../agent/errors';
import type { Hooks } from '../agent/hooks';
import { canonicalJson, isRecord, jsonSize, type JsonObject } from '../agent/json';
import { toolCallsOf, type Message, type ToolCallPart } from '../agent/message';
import { newRun, toInputMessages } from '../agent/new-run';
import { isRelayRequest, relayCallsOf } from '../agent/relay';
import { requestProblem, type Request } from '../agent/request';
import type { Route } from '../agent/route';
import { inputOf } from '../agent/run-result';
import type { CallState, RunState, Transcript, WaitPurpose } from '../agent/run-state';
import { okResult } from '../agent/tool';
import { held, routeOf } from '../tools/route-calls';

/**
 * A run from its messages and its one open request, where nothing else was kept (R46). Counts and usage of
 * what came before are those that the messages show, and results of earlier calls count as no errors.
 */
export function rebuildRun(
  given: readonly Message[],
  pending: Request | undefined,
  agent: Agent,
  hooks: Hooks | undefined,
): { run: RunState; transcript: Transcript } {
  const problem = requestProblem(pending);
  if (!pending || problem !== undefined || pending.id === '')
    throw notHalted(`Its \`pending\` is no request. ${problem ?? ''}`);
  const messages = toInputMessages(given);
  const at = messages.findLastIndex((message) => message.role !== 'tool');
  const calls = toolCallsOf(messages[at]);
  const placeholders = messages
    .slice(at + 1)
    .map((message) => (message.role === 'tool' ? message.content : ''));
  const asked = askedCalls(pending, calls, placeholders);
  const waiting = asked.filter((index) => placeholders[index] === pending.prompt);
  refuseUnclear(pending, waiting);
  const seed = seedOf(messages, pending);
  const run = newRun({
    runId: rebuiltRunId(messages, pending),
    agent: agent.name,
    seed,
    from: 0,
    now: Date.now(),
    limits: agent.limits,
  });
  const purpose = purposeOf(pending);
  run.status = 'pending';
  run.calls = calls.map((call, index) => {
    const output = placeholders[index] ?? '';
    return waiting.includes(index)
      ? waitingCall(index, call, routeFor(call, pending, purpose, agent, hooks), pending, purpose)
      : {
          ...callBase(index, call),
          route: { to: 'result', result: okResult(output) },
          phase: { is: 'settled', result: okResult(output) },
        };
  });
  run.requests = [
    { request: pending, calls: asked, purpose, openedAt: run.startedAt, bytes: jsonSize(pending) },
  ];
  run.usedIds = [pending.id];
  run.turn = messages.filter((message) => message.role === 'assistant').length;
  run.toolCallCount = messages.flatMap(toolCallsOf).length;
  run.marks = messages
    .slice(0, at)
    .flatMap((message, index) => (message.role === 'tool' ? [{ at: index, isError: false }] : []));
  const said = messages[at];
  run.text = said?.role === 'assistant' ? (said.content ?? '') : '';
  return { run, transcript: { entries: messages.slice(0, at + 1).map((message) => ({ message })) } };
}

/** Derived, so that the same saved state gives the same run, and its request is resolved only once. */
export function rebuiltRunId(messages: readonly Message[], pending: Request): string {
  return `run_${seedOf(messages, pending)}`;
}

function seedOf(messages: readonly Message[], pending: Request): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson({ messages, pending })))).slice(0, 24);
}

/** The calls that the request is about. One that still waits shows its prompt in a result's place (R27). */
function askedCalls(
  pending: Request,
  calls: readonly ToolCallPart[],
  placeholders: readonly string[],
): number[] {
  const named = isRelayRequest(pending) ? relayCallsOf(pending).map((call) => call.id) : undefined;
  return calls.flatMap((call, index) =>
    (named ? named.includes(call.id) : placeholders[index] === pending.prompt) ? [index] : [],
  );
}

function refuseUnclear(pending: Request, waiting: readonly number[]): void {
  if (waiting.length === 0) throw notHalted('No call of its last message waits for `pending`.');
  if (waiting.length > 1 && !isRelayRequest(pending))
    throw notHalted('Several calls wait with the same prompt; save the whole result instead.');
}

function purposeOf(pending: Request): WaitPurpose {
  if (isRelayRequest(pending)) return 'relay';
  // Approvals that the run asked for itself carry a digest; a tool's own approval is a suspension like any.
  return pending.kind === 'approval' && typeof pending.data?.['digest'] === 'string' ? 'hold' : 'tool';
}

function routeFor(
  call: ToolCallPart,
  pending: Request,
  purpose: WaitPurpose,
  agent: Agent,
  hooks: Hooks | undefined,
): Route {
  const tool = agent.tools.find(({ name }) => name === call.function.name);
  const input = replacedInput(call, pending);
  if (!tool) {
    if (purpose === 'relay') return { to: 'relay', ...(input && { input }) };
    throw notHalted(`Its call of ${call.function.name} needs a tool that was not given.`);
  }
  return { ...routeOf(tool, hooks), ...held(tool, purpose === 'hold' ? [pending] : [], input) };
}

/** Arguments that a hook had put in place of the model's are only in the request. */
function replacedInput(call: ToolCallPart, pending: Request): JsonObject | undefined {
  const relayed = relayCallsOf(pending).find(({ id }) => id === call.id);
  const shown = relayed
    ? relayed.input
    : pending.data?.['digest'] === undefined
      ? undefined
      : pending.data['input'];
  if (!isRecord(shown)) return undefined;
  return canonicalJson(shown) === canonicalJson(inputOf(call.function.arguments)) ? undefined : shown;
}

function waitingCall(
  index: number,
  call: ToolCallPart,
  route: Route,
  pending: Request,
  purpose: WaitPurpose,
): CallState {
  return {
    ...callBase(index, call),
    route,
    phase: { is: 'waiting', requestId: pending.id, purpose },
    ...(purpose === 'tool' && { suspendedFor: pending.prompt }),
  };
}

function callBase(index: number, call: ToolCallPart) {
  return { index, id: call.id, name: call.function.name, hold: 0, requests: 0 };
}

function notHalted(problem: string): HoldpointError {
  return new HoldpointError('Holdpoint.Run.InvalidInput', `This is no halted run. ${problem}`);
}
