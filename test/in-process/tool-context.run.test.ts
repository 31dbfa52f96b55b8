/** The scenarios of the reference page on the tool context, in process. */
import {
  createToolkit,
  defineTool,
  errorResult,
  okResult,
  pending,
  type CustomTool,
  type ToolContext,
} from '../../src';
import { createInProcessClient } from '../../src/in-process';
import { calling, echo, inOrder } from '../support/in-process';

describe('the context of a tool', () => {
  test('R8: cancelling the run reaches the call, and the tool returns promptly', async () => {
    const controller = new AbortController();
    const slow = defineTool({
      name: 'slow',
      description: 'Waits until it is told',
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('cancelled')));
          controller.abort();
        }),
    });
    const client = createInProcessClient({ generate: inOrder(calling(['slow'])) });
    const result = await client.run('go', [slow], { signal: controller.signal });
    expect(result.status).toBe('cancelled');
    expect(result.toolCalls).toEqual([
      { id: 'c1', name: 'slow', args: {}, output: 'cancelled', isError: true },
    ]);
  });

  test('R9: a call over its budget times out, one within it does not', async () => {
    const fetchIt = (timeoutMs: number) =>
      defineTool({
        name: 'fetch',
        description: '',
        timeoutMs,
        execute: (_, { timeoutMs: budget, signal }) =>
          new Promise((resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error(`gave up after ${budget}ms`)));
            if (budget === 0) resolve('finished');
          }),
      });
    const client = () => createInProcessClient({ generate: inOrder(calling(['fetch']), echo) });
    expect((await client().run('go', [fetchIt(20)])).text).toBe('gave up after 20ms');
    expect((await client().run('go', [fetchIt(0)])).text).toBe('finished');
  });

  test('R28: a suspended tool literal runs again with the answer', async () => {
    const confirm: CustomTool = {
      name: 'confirm',
      description: 'Ask first',
      source: 'custom',
      execute: (_, { answer }) => {
        if (!answer) return pending({ kind: 'approval', prompt: 'Proceed?' });
        return answer.ok ? okResult('confirmed') : errorResult(`declined: ${answer.reason ?? ''}`);
      },
    };
    const client = createInProcessClient({
      generate: ({ messages }) => {
        const last = messages.at(-1);
        return last?.role === 'tool'
          ? { content: `tool said: ${last.content}` }
          : { toolCalls: [{ name: 'confirm' }] };
      },
      waitFor: (request) => ({ id: request.id, ok: true }),
    });
    const result = await client.run('delete the build dir', createToolkit({ tools: [confirm] }));
    expect(result.text).toBe('tool said: confirmed');
    // The model gave no id: the run made one (R19).
    expect(result.toolCalls[0]?.id).toBe('call_1_0');
  });

  test('R9: callId tells the calls of one message apart', async () => {
    const seen: unknown[] = [];
    const probe = defineTool({
      name: 'probe',
      description: 'records its call id',
      execute: (_, { callId }) => void seen.push(callId),
    });
    const client = createInProcessClient({
      generate: inOrder(calling(['probe', {}, 'call_a'], ['probe', {}, 'call_b']), echo),
    });
    await client.run('probe twice', [probe]);
    expect(seen).toEqual(['call_a', 'call_b']);
    await probe.call?.({});
    expect(seen).toEqual(['call_a', 'call_b', undefined]);
  });

  test('R7: the context is whole on the first execution and on the one after the answer', async () => {
    const seen: ToolContext[] = [];
    const probe = defineTool({
      name: 'probe',
      description: '',
      execute: (_, ctx) => {
        seen.push(ctx);
        return ctx.answer ? 'ok' : pending({ kind: 'question', prompt: '?' });
      },
    });
    const messages: unknown[] = [];
    const client = createInProcessClient({
      generate: (request) => {
        messages.push(...request.messages);
        return request.messages.length > 1 ? echo(request) : calling(['probe']);
      },
      waitFor: ({ id }) => ({ id, ok: true }),
    });
    const result = await client.run('go', [probe], { context: { secret: 'customer-7' } });
    const [first, second] = seen;
    expect(first).toMatchObject({
      callId: 'c1',
      timeoutMs: 0,
      runId: result.runId,
      conversationId: undefined,
      agent: 'in-process',
      turn: 1,
      attempt: 1,
      context: { secret: 'customer-7' },
      answer: undefined,
    });
    expect(first?.idempotencyKey).toMatch(/^hp_.+_1_0$/);
    expect(second).toEqual({
      ...first,
      answer: { id: result.receipts?.[0]?.requestId, ok: true },
      signal: expect.any(AbortSignal) as unknown,
      reportProgress: expect.any(Function) as unknown,
    });
    expect(JSON.stringify(messages)).not.toContain('customer-7');
  });
});
