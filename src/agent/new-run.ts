import { balanceProblem } from './balance';
import { HoldpointError } from './errors';
import { isRecord, type Json } from './json';
import { limitsProblem, type Limits } from './limits';
import { toUserMessage } from './intake';
import type { AssistantMessage, Message, ToolCallPart } from './message';
import { NO_USAGE } from './model';
import type { ParentRef, RunState } from './run-state';

export interface NewRun {
  readonly runId: string;
  readonly agent: string;
  readonly seed: string;
  readonly from: number;
  readonly now: number;
  readonly limits?: Limits | undefined;
  readonly context?: Json | undefined;
  readonly conversationId?: string | undefined;
  readonly tenant?: string | undefined;
  readonly parent?: ParentRef | undefined;
  readonly usedIds?: readonly string[];
}

/** A run that has done nothing yet. */
export function newRun(options: NewRun): RunState {
  const {
    runId,
    agent,
    seed,
    from,
    now,
    limits,
    context,
    conversationId,
    tenant,
    parent,
    usedIds = [],
  } = options;
  return {
    schema: 1,
    runId,
    agent,
    ...(conversationId !== undefined && { conversationId }),
    ...(tenant !== undefined && { tenant }),
    ...(parent && { parent }),
    seed,
    ...(context !== undefined && { context }),
    limits: limits ?? {},
    from,
    startedAt: now,
    status: 'running',
    turn: 0,
    turnsSinceInput: 0,
    calls: [],
    requests: [],
    receipts: [],
    rejections: [],
    held: [],
    inbox: [],
    usedIds: [...usedIds],
    marks: [],
    usage: NO_USAGE,
    toolCallCount: 0,
    activeMs: 0,
    text: '',
  };
}

/** Reads limits from anything a sender may have put on the wire. Throws `Holdpoint.Run.InvalidInput`. */
export function toLimits(raw: unknown): Limits {
  if (raw === undefined || raw === null) return {};
  const problem = isRecord(raw) ? limitsProblem(raw) : 'Expected `limits` to be an object.';
  if (problem !== undefined) throw invalidInput(problem);
  return raw;
}

/**
 * Reads a run's input: a user's text, one user message, or a whole transcript to go on from, whose calls
 * must all have results. Throws `Holdpoint.Run.InvalidInput`.
 */
export function toInputMessages(raw: unknown): Message[] {
  const single = toUserMessage(raw);
  if (single) return [single];
  if (!Array.isArray(raw) || raw.length === 0)
    throw invalidInput('Expected `input` to be a text, a user message or a non-empty list of messages.');
  const messages = (raw as readonly unknown[]).map(toMessage);
  const problem = balanceProblem(messages);
  if (problem !== undefined) throw invalidInput(`The input's calls and results do not match: ${problem}.`);
  return messages;
}

function toMessage(raw: unknown, at: number): Message {
  const user = isRecord(raw) ? toUserMessage(raw) : undefined;
  if (user) return user;
  if (isRecord(raw) && raw['role'] === 'tool') {
    const { tool_call_id, content } = raw;
    if (typeof tool_call_id === 'string' && typeof content === 'string')
      return { role: 'tool', tool_call_id, content };
  }
  if (isRecord(raw) && raw['role'] === 'assistant') {
    const { content = null, tool_calls: calls } = raw;
    if ((content === null || typeof content === 'string') && (calls === undefined || isCallList(calls)))
      return {
        role: 'assistant',
        content,
        ...(calls && calls.length > 0 && { tool_calls: calls }),
      } satisfies AssistantMessage;
  }
  throw invalidInput(
    `Expected \`input[${at}]\` to be a user, assistant or tool message. The system prompt comes from the agent.`,
  );
}

function isCallList(value: unknown): value is ToolCallPart[] {
  return (
    Array.isArray(value) &&
    value.every(
      (call) =>
        isRecord(call) &&
        typeof call['id'] === 'string' &&
        isRecord(call['function']) &&
        typeof call['function']['name'] === 'string' &&
        typeof call['function']['arguments'] === 'string',
    )
  );
}

function invalidInput(problem: string): HoldpointError {
  return new HoldpointError('Holdpoint.Run.InvalidInput', problem);
}
