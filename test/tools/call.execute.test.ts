import { z } from 'zod';
import type { Hooks } from '../../src/agent/hooks';
import { suspendForRound } from '../../src/agent/input-round';
import type { ToolContext } from '../../src/agent/tool';
import { defineTool, pending, relayTool } from '../../src/tools';
import { execute, hang, probe, result } from '../support/execute-call';
import { containing, instanceOf, matching } from '../support/matchers';

describe('executing a call', () => {
  test('R7: the tool gets its whole context, the same on every execution, with the answer on the second', async () => {
    const seen: ToolContext[] = [];
    const tool = probe((_, given) => void seen.push(given), { timeoutMs: 5000 });
    const answer = { id: 'r', ok: true };
    await execute(tool);
    await execute(tool, { answer });
    const expected = {
      signal: instanceOf(AbortSignal),
      callId: 'c1',
      timeoutMs: 5000,
      answer: undefined,
      idempotencyKey: 'key',
      runId: 'run-1',
      conversationId: 'conv',
      agent: 'desk',
      turn: 3,
      attempt: 2,
      context: { user: 7 },
      reportProgress: instanceOf(Function),
    };
    expect(seen).toEqual([expected, { ...expected, answer }]);
  });

  test('R5: arguments are checked again, defaults and transforms included; wrong ones do not run', async () => {
    const run = jest.fn((args: object) => JSON.stringify(args));
    const tool = defineTool({
      name: 'probe',
      description: '',
      inputSchema: z.object({ n: z.coerce.number(), note: z.string().default('none') }),
      execute: run,
    });
    expect(await execute(tool, { arguments: '{"n":"4"}' })).toEqual(result('{"n":4,"note":"none"}'));
    expect(await execute(tool, { arguments: '{"n":"4"}', input: { n: 5 } })).toEqual(
      result('{"n":5,"note":"none"}'),
    );
    expect(await execute(tool, { arguments: '{"n":' })).toEqual(result(containing('not valid JSON'), true));
    expect(await execute(tool, { input: { n: 'x' } })).toEqual(result(containing('`n`'), true));
    expect(run).toHaveBeenCalledTimes(2);
  });

  test('R5: a tool that a deployment took away, or made a relay tool, is an error result', async () => {
    expect(await execute(undefined)).toEqual(result('Unknown tool: gone', true));
    expect(await execute(relayTool({ name: 'r', description: '' }))).toEqual(
      result(containing('relay tool'), true),
    );
  });

  test('R3: a suspension is no result, and afterTool does not see it', async () => {
    const afterTool = jest.fn();
    const request = { kind: 'approval', prompt: 'Proceed?', id: 'own' };
    expect(
      await execute(
        probe(() => pending(request)),
        { hooks: { afterTool } },
      ),
    ).toEqual({
      is: 'suspended',
      request,
    });
    expect(afterTool).not.toHaveBeenCalled();
  });

  test('R38: a round of questions that is larger than a result may be is told as one', async () => {
    const tool = probe(() =>
      suspendForRound({ q: { kind: 'input', prompt: '?', data: { page: 'x'.repeat(1_100_000) } } }),
    );
    expect(await execute(tool)).toEqual(result(matching(/^The result of probe has \d+ bytes/), true));
  });

  test('R9: at the end of its budget the signal aborts, and a tool that does not return within a second timed out', async () => {
    let signal: AbortSignal | undefined;
    const tool = probe((_, given) => {
      signal = given.signal;
      return hang();
    });
    const started = Date.now();
    expect(await execute(tool, { timeoutMs: 20 })).toEqual(result('timed out after 20ms', true));
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError' });
    expect(Date.now() - started).toBeGreaterThanOrEqual(1000);
  });

  test('R9: what the tool returns within that second stands', async () => {
    const tool = probe(
      (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('cut short, kept 3 rows'))),
      { timeoutMs: 20 },
    );
    expect(await execute(tool)).toEqual(result('cut short, kept 3 rows'));
  });

  test('R8, R34: a cancelled run aborts the call; what it returns in time is its result', async () => {
    const controller = new AbortController();
    const tool = probe(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          controller.abort(new Error('stop now'));
        }),
    );
    expect(await execute(tool, { signal: controller.signal })).toEqual(result('stop now', true));
  });

  test('R34: a tool that ignores the abort is given up after the wait; one not begun did not run', async () => {
    const controller = new AbortController();
    const tool = probe(() => {
      controller.abort();
      return hang();
    });
    expect(await execute(tool, { signal: controller.signal, abortWaitMs: 10 })).toEqual({
      is: 'cancelled',
      ran: true,
    });
    const run = jest.fn();
    expect(await execute(probe(run), { signal: AbortSignal.abort() })).toEqual({
      is: 'cancelled',
      ran: false,
    });
    expect(run).not.toHaveBeenCalled();
  });

  test('R34: a hook that ignores the abort does not hold up the end either', async () => {
    const controller = new AbortController();
    const afterTool = () => {
      controller.abort();
      return hang();
    };
    const hooks = { afterTool };
    expect(
      await execute(
        probe(() => 'x'),
        { hooks, signal: controller.signal, abortWaitMs: 10 },
      ),
    ).toEqual({
      is: 'cancelled',
      ran: true,
    });
  });

  test('R7: progress is passed on until the call has ended', async () => {
    const reportProgress = jest.fn();
    let late = () => {};
    const tool = probe((_, given) => {
      given.reportProgress(1, 3, 'one');
      late = () => given.reportProgress(2);
    });
    await execute(tool, { reportProgress });
    late();
    expect(reportProgress.mock.calls).toEqual([[1, 3, 'one']]);
  });

  test('R38: a result over 1 MiB is an error that names the tool and the size', async () => {
    const exact = 1_048_576 - JSON.stringify({ output: '', isError: false }).length;
    expect(await execute(probe(() => 'x'.repeat(exact)))).toMatchObject({ result: { isError: false } });
    expect(await execute(probe(() => 'x'.repeat(exact + 1)))).toEqual(
      result(matching(/^The result of probe has 1048577 bytes/), true),
    );
    const metadata = { blob: 'x'.repeat(3_000_000) };
    expect(await execute(probe(() => ({ output: '', isError: false, metadata })))).toMatchObject({
      result: { isError: true },
    });
    const request = { kind: 'k', prompt: 'p', data: metadata };
    expect(await execute(probe(() => pending(request)))).toMatchObject({
      is: 'result',
      result: { isError: true },
    });
  });
});

describe('afterTool', () => {
  test('R28, R42: it sees what an approver says in a tool’s place, which is in a person’s words', async () => {
    const hooks = {
      afterTool: ({ output }: { output: string }) => ({ output: `${output}!`, isError: false }),
    };
    const given = { mode: 'after', result: { output: 'paid by hand', isError: false }, hooks } as const;
    const schema = { outputSchema: { type: 'integer' } };
    expect(
      await execute(
        probe(() => 'no', schema),
        given,
      ),
    ).toEqual(result('paid by hand!'));
    const relay = relayTool({ name: 'stock', description: '', ...schema });
    expect(await execute(relay, given)).toEqual(result(matching(/does not match its output schema.*!$/)));
  });

  test('R42: it sees result, input and place, and may replace the result, errors included', async () => {
    const afterTool = jest.fn<ReturnType<NonNullable<Hooks['afterTool']>>, unknown[]>(() => ({
      output: 'masked',
      isError: false,
    }));
    const tool = probe(() => {
      throw new Error('secret');
    });
    expect(await execute(tool, { arguments: '{"a":1}', hooks: { afterTool } })).toEqual(result('masked'));
    expect(afterTool.mock.calls).toEqual([
      [
        { output: 'secret', isError: true },
        {
          runId: 'run-1',
          conversationId: 'conv',
          agent: 'desk',
          turn: 3,
          context: { user: 7 },
          callId: 'c1',
          tool: 'probe',
          input: { a: 1 },
        },
      ],
    ]);
    expect(
      await execute(
        probe(() => 'x'),
        { hooks: { afterTool: () => undefined } },
      ),
    ).toEqual(result('x'));
  });

  test.each<[string, NonNullable<Hooks['afterTool']>, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
      /afterTool failed: broken/,
    ],
    ['returns no result', (() => 'text') as never, /returned no/],
    ['suspends', () => pending({ kind: 'k', prompt: 'p' }), /may not suspend/],
  ])('R42: a hook that %s makes an error that does not show the result', async (_, afterTool, text) => {
    const outcome = await execute(
      probe(() => 'secret'),
      { hooks: { afterTool } },
    );
    expect(outcome).toEqual(result(matching(text), true));
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });
});
