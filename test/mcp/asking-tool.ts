import { z } from 'zod';
import type { ToolContext } from '../../src/agent/tool';
import { handleCall, type BoundTool } from '../../src/mcp/bound-tool';
import type { Call } from '../../src/mcp/call';
import { define } from '../../src/mcp/definition';
import type { InputRequest } from '../../src/mcp/input-request';
import { complete, requestInput } from '../../src/mcp/reply';
import { ok } from '../../src/mcp/result';

/** A form with one text, as a tool asks for it. */
export const form: InputRequest = {
  method: 'elicitation',
  params: {
    message: 'Which seat?',
    requestedSchema: { type: 'object', properties: { seat: { type: 'string' } }, required: ['seat'] },
  },
};

/** A tool `book` that asks in `rounds`, then gives what it was told in the last, and notes each call. */
export function askingTool(rounds: readonly Record<string, InputRequest>[]): {
  readonly tool: BoundTool<ToolContext>;
  readonly calls: Call<ToolContext>[];
} {
  const calls: Call<ToolContext>[] = [];
  const book = define('book', z.object({}), z.unknown());
  const tool = handleCall<object, unknown, ToolContext>(book, (call) => {
    calls.push(call);
    const answered = rounds.findIndex((round) =>
      Object.keys(round).some((key) => key in call.inputResponses),
    );
    const next = rounds[answered + 1];
    return ok(next ? requestInput(next) : complete(call.inputResponses));
  });
  return { tool, calls };
}
