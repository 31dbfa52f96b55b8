import { toolCallsOf, type Message } from './message';

/**
 * Says where calls and results do not match from an index on, or `undefined`: after each assistant message
 * with calls comes exactly one tool message per call, in call order (R16).
 */
export function balanceProblem(messages: readonly Message[], from = 0): string | undefined {
  for (let at = from; at < messages.length; at += 1) {
    const message = messages[at];
    if (message?.role === 'tool') return `message ${at} is a result without a call`;
    const calls = toolCallsOf(message);
    for (const call of calls) {
      at += 1;
      const result = messages[at];
      if (result?.role !== 'tool') return `call ${JSON.stringify(call.id)} has no result`;
      if (result.tool_call_id !== call.id)
        return `message ${at} is a result for ${JSON.stringify(result.tool_call_id)} where ${JSON.stringify(call.id)} was called`;
    }
  }
  return undefined;
}
