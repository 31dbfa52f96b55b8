import { z } from 'zod';
import { relayTool } from '../../src/tools';
import { execute, hang, probe, result, type ExecuteOptions } from '../support/execute-call';
import { containing, matching, objectWith } from '../support/matchers';

describe('edited arguments', () => {
  const guarded = (needsApproval: unknown, run = jest.fn(() => 'ran')) =>
    probe(run, {
      inputSchema: z.object({ amount: z.number() }),
      needsApproval,
      expiresIn: 60_000,
    });

  test('R28: the predicate is asked again, and may ask for one more approval of exactly these arguments', async () => {
    const tool = guarded(({ amount }: { amount: number }) => amount > 100);
    const edited = { arguments: '{"amount":1}', edited: true };
    expect(await execute(tool, { ...edited, input: { amount: 50 } })).toEqual(result('ran'));
    expect(await execute(tool, { ...edited, input: { amount: 500 } })).toEqual({
      is: 'asks',
      request: {
        kind: 'approval',
        prompt: 'approve probe({"amount":500})',
        data: objectWith({ input: { amount: 500 }, arguments: '{"amount":1}', callId: 'c1' }),
        expiresAt: '2026-03-01T00:01:00.000Z',
      },
    });
  });

  test('R28: needsApproval: true is not asked again, and unedited arguments ask nobody', async () => {
    expect(await execute(guarded(true), { edited: true, input: { amount: 1 } })).toEqual(result('ran'));
    const predicate = jest.fn(() => true);
    expect(await execute(guarded(predicate), { arguments: '{"amount":1}' })).toEqual(result('ran'));
    expect(predicate).not.toHaveBeenCalled();
  });

  test('R28: after its own suspension the edited call is not asked about a second time', async () => {
    const tool = guarded(() => true);
    const options = { edited: true, input: { amount: 1 }, answer: { id: 'r', ok: true } };
    expect(await execute(tool, options)).toEqual(result('ran'));
  });

  test('R24: edited arguments get the full check, and a failing one does not run', async () => {
    const run = jest.fn(() => 'ran');
    expect(await execute(guarded(true, run), { edited: true, input: { amount: 'x' } })).toMatchObject({
      result: { isError: true },
    });
    expect(run).not.toHaveBeenCalled();
  });

  test('R28: a relay tool’s edited arguments are only checked', async () => {
    const relay = relayTool({
      name: 'r',
      description: '',
      inputSchema: z.object({ n: z.number() }),
      needsApproval: ({ n }) => n > 9,
    });
    const check = (n: unknown) =>
      execute(relay, { mode: 'check', edited: true, input: { n } as { n: number } });
    expect(await check(1)).toEqual({ is: 'passed' });
    expect(await check(10)).toMatchObject({ is: 'asks', request: { prompt: 'approve r({"n":10})' } });
    expect(await check('x')).toMatchObject({ is: 'result', result: { isError: true } });
  });
});

test('R34: a check that a cancel cuts short has run nothing', async () => {
  const controller = new AbortController();
  const relay = relayTool({
    name: 'r',
    description: '',
    needsApproval: () => {
      controller.abort();
      return hang();
    },
  });
  const options: ExecuteOptions = { mode: 'check', edited: true, signal: controller.signal, abortWaitMs: 10 };
  expect(await execute(relay, options)).toEqual({ is: 'cancelled', ran: false });
});

describe('a host’s result', () => {
  const relay = relayTool({
    name: 'stock',
    description: '',
    outputSchema: z.object({ units: z.number() }).refine(({ units }) => units >= 0, 'units below zero'),
  });
  const after = (output: string, options: ExecuteOptions = {}) =>
    execute(relay, { mode: 'after', result: { output, isError: false }, ...options });

  test('R24: the full output schema is checked; failing is an error result', async () => {
    expect(await after('{"units":3}')).toEqual(result('{"units":3}'));
    expect(await after('{"units":-3}')).toEqual(
      result(matching(/^The result of stock.*units below zero/), true),
    );
    expect(await after('plenty')).toEqual(result(containing('does not match'), true));
  });

  test('R24: a result that says it failed is not checked', async () => {
    expect(await after('', { result: { output: 'shelf burnt', isError: true } })).toEqual(
      result('shelf burnt', true),
    );
  });

  test('R42: afterTool runs on relayed results with the input that was relayed', async () => {
    const afterTool = jest.fn(() => ({ output: 'masked', isError: false }));
    expect(
      await after('{"units":3}', { hooks: { afterTool }, arguments: '{"sku":"a"}', input: { sku: 'b' } }),
    ).toEqual(result('masked'));
    expect(afterTool).toHaveBeenCalledWith(
      expect.anything(),
      objectWith({ tool: 'stock', input: { sku: 'b' } }),
    );
  });

  test('R33: a cancel does not claim that a host did not run it', async () => {
    expect(await after('{"units":3}', { signal: AbortSignal.abort() })).toEqual({
      is: 'cancelled',
      ran: true,
    });
  });
});
