import { z } from 'zod';
import type { ToolContext, ToolResult } from '../../src/agent/tool';
import { defineTool } from '../../src/tools';
import { containing, instanceOf } from '../support/matchers';

const tool = (execute: (args: Record<string, unknown>, ctx: ToolContext) => unknown) =>
  defineTool({ name: 'probe', description: '', execute });
const call = async (execute: Parameters<typeof tool>[0]): Promise<ToolResult | undefined> =>
  tool(execute).call?.({});

describe('a handler’s return value', () => {
  test.each<[string, unknown, string]>([
    ['a string is the output', 'text', 'text'],
    ['an empty string stays empty', '', ''],
    ['an object is JSON', { a: [1, null] }, '{"a":[1,null]}'],
    ['zero is a value', 0, '0'],
    ['false is a value', false, 'false'],
    ['null is a value', null, 'null'],
    ['undefined has no JSON form and is empty', undefined, ''],
    ['a lookalike without isError is JSON', { output: 'x' }, '{"output":"x"}'],
  ])('R2: %s', async (_, value, output) => {
    expect(await call(() => value)).toEqual({ output, isError: false });
    expect(await call(async () => value)).toEqual({ output, isError: false });
  });

  test('R2: a ToolResult passes, its metadata as it survives the wire', async () => {
    const result = { output: 'no', isError: true, metadata: { at: new Date(0), gone: undefined, n: 0 } };
    expect(await call(() => result)).toEqual({
      output: 'no',
      isError: true,
      metadata: { at: '1970-01-01T00:00:00.000Z', n: 0 },
    });
  });

  test.each<[string, unknown, RegExp]>([
    ['an error', new Error('no such order'), /^no such order$/],
    ['an error without a message', new TypeError(), /^TypeError$/],
    ['a string', 'plain', /^plain$/],
    ['undefined', undefined, /undefined was thrown/],
    ['null', null, /^null$/],
    ['an object with a message', { message: 'odd' }, /^odd$/],
    ['an empty object', {}, /^An object without a message was thrown\.$/],
    ['an object', { code: 7 }, /^\{"code":7\}$/],
  ])('R2: throwing %s becomes a readable error result', async (_, thrown, message) => {
    for (const execute of [
      () => {
        throw thrown;
      },
      async () => {
        await Promise.resolve();
        throw thrown;
      },
    ]) {
      const result = await call(execute);
      expect(result?.isError).toBe(true);
      expect(result?.output).toMatch(message);
    }
  });

  test('R2: a value without JSON form is an error that names the tool', async () => {
    const loop: Record<string, unknown> = {};
    loop['loop'] = loop;
    for (const value of [loop, 10n]) {
      const result = await call(() => value);
      expect(result).toMatchObject({ isError: true, output: containing('output of probe') });
    }
  });

  test('R1: an output that does not fit the output schema is an error, an error result is left alone', async () => {
    const odd = (value: unknown) =>
      defineTool({
        name: 'count',
        description: '',
        outputSchema: z.object({ n: z.number() }),
        execute: () => value as { n: number },
      }).call?.({});
    expect(await odd({ n: 2 })).toEqual({ output: '{"n":2}', isError: false });
    expect(await odd('{"n":2}')).toEqual({ output: '{"n":2}', isError: false });
    expect(await odd({ n: 'two' })).toMatchObject({ isError: true, output: containing('`n`') });
    expect(await odd({ output: 'gone', isError: true })).toEqual({ output: 'gone', isError: true });
  });

  test('R1: a schema of a string takes the text as it is', async () => {
    const text = (value: string) =>
      defineTool({ name: 't', description: '', outputSchema: z.string(), execute: () => value }).call?.({});
    expect(await text('plain')).toMatchObject({ isError: false });
    expect(await text('123')).toMatchObject({ isError: false, output: '123' });
  });
});

describe('tool.call', () => {
  test('R5: arguments are checked, and the handler gets what the schema makes of them', async () => {
    const seen: unknown[] = [];
    const counted = defineTool({
      name: 'counted',
      description: '',
      inputSchema: z.object({ n: z.coerce.number().default(4) }),
      execute: (args) => {
        seen.push(args);
        return 'ok';
      },
    });
    expect(await counted.call?.({})).toMatchObject({ isError: false });
    expect(await counted.call?.({ n: '7' })).toMatchObject({ isError: false });
    expect(await counted.call?.({ n: 'x' })).toMatchObject({
      isError: true,
      output: containing('Invalid arguments for counted: `n`'),
    });
    expect(await counted.call?.([])).toMatchObject({ isError: true });
    expect(seen).toEqual([{ n: 4 }, { n: 7 }]);
  });

  test('R7: a direct call has a signal that never fires, no budget, attempt 1 and nothing of a run', async () => {
    let ctx: ToolContext | undefined;
    await call((_, given) => {
      ctx = given;
      given.reportProgress(1, 2);
    });
    expect(ctx).toEqual({
      signal: instanceOf(AbortSignal),
      callId: undefined,
      timeoutMs: 0,
      answer: undefined,
      idempotencyKey: undefined,
      runId: undefined,
      conversationId: undefined,
      agent: undefined,
      turn: undefined,
      attempt: 1,
      context: undefined,
      reportProgress: instanceOf(Function),
    });
    expect(ctx?.signal.aborted).toBe(false);
  });

  test('R7: a tool that listens to the signal stops when it aborts', async () => {
    const controller = new AbortController();
    const slow = tool(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('cancelled')));
        }),
    );
    const running = slow.call?.({}, { signal: controller.signal });
    controller.abort();
    expect(await running).toEqual({ output: 'cancelled', isError: true });
  });

  test('R7: a tool sees the budget it was passed, 0 otherwise', async () => {
    const bounded = tool((_, { timeoutMs }) => {
      if (timeoutMs > 0 && timeoutMs < 200) throw new Error(`timed out after ${timeoutMs}ms`);
      return 'finished';
    });
    expect(await bounded.call?.({}, { timeoutMs: 20 })).toEqual({
      output: 'timed out after 20ms',
      isError: true,
    });
    expect(await bounded.call?.({})).toEqual({ output: 'finished', isError: false });
  });
});
