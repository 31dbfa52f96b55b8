import type { ToolContext } from '../agent/tool';

/** The context of a tool that is called directly: what was passed, and nothing of a run beside it (R7). */
export function directContext(given: Partial<ToolContext>): ToolContext {
  return {
    signal: given.signal ?? new AbortController().signal,
    callId: given.callId,
    timeoutMs: given.timeoutMs ?? 0,
    answer: given.answer,
    idempotencyKey: given.idempotencyKey,
    runId: given.runId,
    conversationId: given.conversationId,
    agent: given.agent,
    turn: given.turn,
    attempt: given.attempt ?? 1,
    context: given.context,
    reportProgress: given.reportProgress ?? (() => undefined),
  };
}
