/** What a sub-agent is asked, and what its run's end says to the agent that called it. */
import type { Json } from './json';
import { effectiveInput } from './open-request';
import type { RunOutcome } from './result';
import type { CallState, ParentRef, RunState, Transcript } from './run-state';
import { errorResult, okResult, type ToolResult } from './tool';

/** Agents one within the other: a mistake in their tools must not start runs without end. */
export const MAX_DEPTH = 8;

export interface Delegation {
  readonly agent: string;
  readonly input: string;
  readonly context?: Json;
  readonly tenant?: string;
  readonly parent: ParentRef;
}

/** What a call of an agent starts; `undefined` where agents have called each other too often. */
export function delegationOf(
  run: RunState,
  transcript: Transcript,
  call: CallState,
  workflowId: string,
  callers: readonly string[] = run.parent?.path ?? [],
): Delegation | undefined {
  const path = [...callers, run.agent];
  if (call.route.to !== 'agent' || path.length > MAX_DEPTH) return undefined;
  const { input, ...rest } = effectiveInput(transcript, call);
  const isText = typeof input === 'string' && Object.keys(rest).length === 0;
  return {
    agent: call.route.agent,
    input: isText ? input : JSON.stringify(effectiveInput(transcript, call)),
    ...(run.context !== undefined && { context: run.context }),
    ...(run.tenant !== undefined && { tenant: run.tenant }),
    parent: { runId: run.runId, workflowId, callId: call.id, path },
  };
}

/** The id of a call's sub-agent's run: no other call's, and no ask's of a conversation. */
export function subAgentRunId({ runId, turn }: RunState, { index }: CallState): string {
  return `${runId}/agent-${turn}-${index}`;
}

/** A sub-agent's end as the result of its call. */
export function delegatedResult(agent: string, outcome: RunOutcome): ToolResult {
  const { status, text, output, limit, error } = outcome;
  const metadata = { runId: outcome.runId, status };
  switch (status) {
    case 'done':
      return okResult(output === undefined ? text : JSON.stringify(output), metadata);
    case 'incomplete':
      return errorResult(`agent ${agent} did not finish (limit ${limit ?? 'unknown'}): ${text}`, metadata);
    case 'failed':
      return errorResult(`agent ${agent} failed: ${error?.message ?? 'no reason given'}`, metadata);
    default:
      return errorResult(`agent ${agent} was ${status}`, metadata);
  }
}

export function tooDeepText(agent: string): string {
  return `agent ${agent} was not asked: agents call each other more than ${MAX_DEPTH} deep`;
}
