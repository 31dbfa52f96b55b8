import type { Request } from '../../src/agent/request';
import type { RunView } from '../../src/client';

/** A run that waits for an answer to one request, as a client gives it. */
export const runView = (request: Request) =>
  ({
    runId: 'r1',
    status: 'pending',
    text: '',
    messages: [],
    toolCalls: [],
    toolCallCount: 0,
    turns: 1,
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    model: 'm',
    pending: request,
    requests: [request],
  }) satisfies RunView;
