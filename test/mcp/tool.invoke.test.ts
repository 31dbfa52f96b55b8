import { z } from 'zod';
import { handleCall } from '../../src/mcp/bound-tool';
import type { Call } from '../../src/mcp/call';
import { define } from '../../src/mcp/definition';
import { invoke, type Invocation } from '../../src/mcp/invoke';
import { complete } from '../../src/mcp/reply';
import { ok } from '../../src/mcp/result';

const work = define('work', z.object({}), z.string());
const never = new AbortController().signal;
const invocation = (known: Partial<Invocation<unknown>> = {}): Invocation<unknown> => ({
  context: undefined,
  inputResponses: {},
  requestId: 1,
  idempotencyKey: undefined,
  clientInfo: undefined,
  correlation: 'c',
  signal: never,
  ...known,
});
const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

test('each invocation has an id of its own', async () => {
  const ids: number[] = [];
  const tool = handleCall(work, ({ invocationId }) => {
    ids.push(invocationId);
    return ok(complete(''));
  });
  for (let n = 0; n < 3; n += 1) await invoke(tool, {}, invocation());
  expect(new Set(ids).size).toBe(3);
  expect(ids.every(Number.isSafeInteger)).toBe(true);
});

test('progress that says nothing new is dropped, and so is what comes after the call', async () => {
  const sent: unknown[] = [];
  let late: Call['reportProgress'] = () => undefined;
  const tool = handleCall(work, ({ reportProgress }) => {
    late = reportProgress;
    reportProgress(0, 10);
    for (const useless of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) reportProgress(useless);
    reportProgress(3, Number.NaN, 'a third');
    reportProgress(2);
    return ok(complete(''));
  });
  await invoke(tool, {}, invocation({ sendProgress: (report) => void sent.push(report) }));
  late(9);
  expect(sent).toEqual([
    { progress: 0, total: 10 },
    { progress: 3, message: 'a third' },
  ]);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('gone');
    },
  ],
  ['rejects', () => Promise.reject(new Error('gone'))],
])(
  'a client that cannot be told of progress is no failure of the call: telling it %s',
  async (_how, sendProgress) => {
    const tool = handleCall(work, ({ reportProgress }) => {
      reportProgress(1);
      return ok(complete('done'));
    });
    expect(await invoke(tool, {}, invocation({ sendProgress }))).toMatchObject({
      result: { structuredContent: 'done' },
    });
  },
);

test('without a token progress goes nowhere', async () => {
  const tool = handleCall(work, ({ reportProgress }) => {
    reportProgress(1);
    return ok(complete('done'));
  });
  expect(await invoke(tool, {}, invocation())).toMatchObject({ kind: 'result' });
});

test('a cancelled handler may still return within its grace period', async () => {
  const client = new AbortController();
  let aborts = 0;
  const tool = handleCall(work, async ({ signal }) => {
    signal.addEventListener('abort', () => (aborts += 1));
    client.abort();
    await Promise.resolve();
    return ok(complete('in time'));
  });
  const outcome = await invoke(tool, {}, invocation({ signal: client.signal }), { graceMs: 60_000 });
  expect(outcome).toMatchObject({ result: { structuredContent: 'in time' } });
  expect(aborts).toBe(1);
});

test('after its grace period nothing a handler returns is used', async () => {
  const client = new AbortController();
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const tool = handleCall(work, async () => {
    client.abort();
    await held;
    return ok(complete('too late'));
  });
  const outcome = await invoke(tool, {}, invocation({ signal: client.signal }), { graceMs: 1 });
  expect(outcome).toEqual({ kind: 'stopped', why: 'cancelled' });
  letGo();
});

test('a handler that takes too long is told to stop', async () => {
  const tool = handleCall(work, async ({ signal }) => {
    await untilAborted(signal);
    return new Promise<never>(() => undefined);
  });
  expect(await invoke(tool, {}, invocation(), { timeoutMs: 1, graceMs: 1 })).toEqual({
    kind: 'stopped',
    why: 'timeout',
  });
});

test('an invocation that is cancelled before it begins aborts at once', async () => {
  const seen: boolean[] = [];
  const tool = handleCall(work, ({ signal }) => {
    seen.push(signal.aborted);
    return ok(complete(''));
  });
  await invoke(tool, {}, invocation({ signal: AbortSignal.abort() }));
  expect(seen).toEqual([true]);
});
