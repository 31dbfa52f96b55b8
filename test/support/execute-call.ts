import type { ToolOutcome } from '../../src/agent/run-state';
import type { Tool, ToolContext } from '../../src/agent/tool';
import { defineTool } from '../../src/tools';
import { executeCall, type ExecuteCallOptions } from '../../src/tools/execute-call';

const CTX = {
  runId: 'run-1',
  conversationId: 'conv',
  agent: 'desk',
  turn: 3,
  context: { user: 7 },
  callId: 'c1',
  attempt: 2,
  idempotencyKey: 'key',
  now: Date.UTC(2026, 2, 1),
};

export type ExecuteOptions = Partial<Omit<ExecuteCallOptions, 'ctx'>> & {
  signal?: AbortSignal;
  reportProgress?: () => void;
};

/** One step of the second attempt of call `c1` in turn 3 of a conversation's run. */
export function execute(tool: Tool | undefined, options: ExecuteOptions = {}): Promise<ToolOutcome> {
  const { signal = new AbortController().signal, reportProgress, ...rest } = options;
  return executeCall({
    tool,
    name: tool?.name ?? 'gone',
    arguments: '{}',
    mode: 'run',
    ...rest,
    ctx: { ...CTX, signal, reportProgress },
  });
}

export function probe(
  run: (args: Record<string, unknown>, ctx: ToolContext) => unknown,
  more: object = {},
): Tool {
  return defineTool({ name: 'probe', description: '', execute: run, ...more });
}

export const result = (output: unknown, isError = false) => ({ is: 'result', result: { output, isError } });

export const hang = () => new Promise<never>(() => undefined);
