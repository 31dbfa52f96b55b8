import { z } from 'zod';
import { handle, handleCall, type BoundTool } from '../../src/mcp/bound-tool';
import { callTool } from '../../src/mcp/client/call-tool';
import { define } from '../../src/mcp/definition';
import { complete } from '../../src/mcp/reply';
import { failed, ok } from '../../src/mcp/result';
import { createMcpServer, type McpServing } from '../../src/mcp/server/create-mcp-server';
import type { McpServerOptions } from '../../src/mcp/server/options';
import { memoryOutcomes, type KeptOutcome, type OutcomeStore } from '../../src/mcp/server/outcome-store';
import { withIdempotentHint, withReadOnlyHint } from '../../src/mcp/setters';
import { errorMessage } from '../../src/mcp/tool-error';
import { newGate } from '../client/desk';
import { until } from '../support/until';
import { askingTool, form } from './asking-tool';
import { connectTo } from './linked';

const pay = define('pay', z.object({ amount: z.number() }), z.string());
const idempotencyKey = 'order-7';
let paid = 0;
beforeEach(() => {
  paid = 0;
});
const paying = handle(pay, ({ amount }) => {
  paid += 1;
  return ok(`paid ${amount}, payment ${paid}`);
});
function serve(tools: readonly BoundTool[], options: Partial<McpServerOptions> = {}): McpServing {
  return createMcpServer({ name: 'test', version: '1', tools, ...options });
}
const keyed = { idempotencyKey };
const reused = { result: { isError: true, structuredContent: { error: 'key_reused' } } };

test('a call that has finished is not carried out again for its key, and its retry gets the outcome', async () => {
  const serving = serve([paying]);
  const first = await callTool(await connectTo(serving), pay, { amount: 3 }, keyed);
  expect(first).toMatchObject({ kind: 'complete', output: 'paid 3, payment 1' });
  expect(await callTool(await connectTo(serving), pay, { amount: 3 }, keyed)).toEqual(first);
  expect(await callTool(await connectTo(serving), pay, { amount: 3 })).toMatchObject({
    output: 'paid 3, payment 2',
  });
});

test('a key is of one caller, one tool and the same arguments, whatever the order of their keys', async () => {
  const refund = define('refund', z.object({ amount: z.number(), why: z.string() }), z.string());
  const refunding = handle(refund, () => ok('refunded'));
  const auth = async (headers: Headers) => ({ id: headers.get('authorization') ?? '' });
  const serving = serve([paying, refunding], { auth });
  const as = (name: string) => connectTo(serving, { credentials: () => ({ authorization: name }) });
  const ana = await as('ana');
  await callTool(ana, pay, { amount: 3 }, keyed);
  expect(await ana.request('pay', { amount: 4 }, keyed)).toMatchObject(reused);
  expect(paid).toBe(1);
  expect(await callTool(await as('bob'), pay, { amount: 4 }, keyed)).toMatchObject({ kind: 'complete' });
  await ana.request('refund', { amount: 1, why: 'late' }, keyed);
  expect(await ana.request('refund', { why: 'late', amount: 1 }, keyed)).toMatchObject({
    result: { structuredContent: 'refunded' },
  });
});

test('an error that the handler gave is an outcome, too', async () => {
  const refusing = handleCall(pay, () => {
    paid += 1;
    return failed(errorMessage('The card was refused.'));
  });
  const connection = await connectTo(serve([refusing]));
  for (let n = 0; n < 2; n += 1)
    expect(await callTool(connection, pay, { amount: 3 }, keyed)).toMatchObject({
      kind: 'error',
      error: { content: [{ text: 'The card was refused.' }] },
    });
  expect(paid).toBe(1);
});

test('a call under way is joined, not run twice, and refuses other arguments', async () => {
  const { open, unlock } = newGate();
  const slow = handleCall(pay, async () => {
    paid += 1;
    await open;
    return ok(complete('paid'));
  });
  const connection = await connectTo(serve([slow]));
  const both = [1, 2].map(() => callTool(connection, pay, { amount: 3 }, keyed));
  await until('it is under way', () => paid > 0);
  expect(await connection.request('pay', { amount: 4 }, keyed)).toMatchObject(reused);
  unlock();
  expect(await Promise.all(both)).toMatchObject([{ output: 'paid' }, { output: 'paid' }]);
  expect(paid).toBe(1);
});

test('a call goes on while one of those who asked for it is there', async () => {
  const { open, unlock } = newGate();
  const aborted: boolean[] = [];
  const slow = handleCall(pay, async ({ signal }) => {
    paid += 1;
    await open;
    aborted.push(signal.aborted);
    return ok(complete('paid'));
  });
  const connection = await connectTo(serve([slow]));
  const client = new AbortController();
  const first = callTool(connection, pay, { amount: 3 }, { ...keyed, signal: client.signal });
  await until('it is under way', () => paid > 0);
  const second = callTool(connection, pay, { amount: 3 }, keyed);
  // Sent after the second and answered at once, so that the second has come.
  await connection.request('pay', { amount: 4 }, keyed);
  client.abort();
  await expect(first).rejects.toThrow();
  unlock();
  expect(await second).toMatchObject({ output: 'paid' });
  expect(aborted).toEqual([false]);
});

test('a retry that waits for a call which comes to nothing carries it out itself', async () => {
  const client = new AbortController();
  const tool = handleCall(pay, async () => {
    paid += 1;
    if (paid > 1) return ok(complete('paid'));
    client.abort();
    return new Promise<never>(() => undefined);
  });
  const connection = await connectTo(serve([tool], { graceMs: 300 }));
  const cancelled = callTool(connection, pay, { amount: 3 }, { ...keyed, signal: client.signal });
  await expect(cancelled).rejects.toThrow();
  // Within its grace: nobody has given it up yet.
  expect(await callTool(connection, pay, { amount: 3 }, keyed)).toMatchObject({ output: 'paid' });
  expect(paid).toBe(2);
});

test.each<[string, BoundTool, Partial<McpServerOptions>]>([
  [
    'threw',
    handle(pay, () => {
      paid += 1;
      throw new Error('broken');
    }),
    {},
  ],
  [
    'took too long',
    handleCall(pay, () => {
      paid += 1;
      return new Promise<never>(() => undefined);
    }),
    { timeoutMs: 1, graceMs: 1 },
  ],
  [
    'gave what does not fit',
    handle(pay, () => {
      paid += 1;
      return ok(7 as never);
    }),
    {},
  ],
])('a call that %s has not finished, and its retry is carried out', async (_what, tool, options) => {
  const connection = await connectTo(serve([tool], options));
  for (let n = 0; n < 2; n += 1)
    expect(await callTool(connection, pay, { amount: 3 }, keyed)).toMatchObject({ kind: 'error' });
  expect(paid).toBe(2);
});

test('arguments that did not fit can be mended under the same key', async () => {
  const connection = await connectTo(serve([paying]));
  expect(await connection.request('pay', { amount: '3' }, keyed)).toMatchObject({
    result: { isError: true },
  });
  expect(await callTool(connection, pay, { amount: 3 }, keyed)).toMatchObject({ kind: 'complete' });
});

test('a round of input is no outcome; what comes of it is', async () => {
  const { tool, calls } = askingTool([{ seat: form }]);
  const connection = await connectTo(serve([tool]), { capabilities: { elicitation: {} } });
  const round = await connection.request('book', {}, keyed);
  if (round.kind !== 'input' || round.requestState === undefined) throw new Error('no round');
  expect(await connection.request('book', {}, keyed)).toMatchObject({ kind: 'input' });
  const inputResponses = { seat: { action: 'accept', content: { seat: '4a' } } };
  const answered = { ...keyed, requestState: round.requestState, inputResponses };
  const done = await connection.request('book', {}, answered);
  expect(done).toMatchObject({ kind: 'result', result: { structuredContent: inputResponses } });
  expect(await connection.request('book', {}, answered)).toEqual(done);
  expect(await connection.request('book', {}, keyed)).toEqual(done);
  expect(calls).toHaveLength(3);
  // The key opens no door for a state that is none.
  await expect(connection.request('book', {}, { ...answered, requestState: 'x' })).rejects.toMatchObject({
    code: -32602,
  });
});

test('servers that share a store find each other’s outcomes, and nothing in it tells the key', async () => {
  const entries = new Map<string, string>();
  const outcomes: OutcomeStore = {
    get: async (id) => (entries.has(id) ? (JSON.parse(entries.get(id) ?? '') as unknown) : undefined),
    async set(id, outcome, ttlMs) {
      entries.set(id, JSON.stringify(outcome));
      expect(ttlMs).toBe(60_000);
    },
  };
  const options = { outcomes, outcomeTtlSeconds: 60 };
  for (let n = 0; n < 2; n += 1) {
    const connection = await connectTo(serve([paying], options));
    expect(await callTool(connection, pay, { amount: 3 }, keyed)).toMatchObject({
      output: 'paid 3, payment 1',
    });
  }
  expect([...entries.keys()]).toEqual([expect.stringMatching(/^mcp-[A-Za-z0-9_-]{43}$/)]);
  expect(JSON.stringify([...entries])).not.toContain(idempotencyKey);
});

const broken = async (): Promise<never> => {
  throw new Error('The store is away');
};

test.each<[string, OutcomeStore['get']]>([
  ['cannot be read', broken],
  ['gives what was not put into it', async () => ({ digest: 1 })],
])('where a store %s, a call that would do harm twice is not carried out', async (_what, get) => {
  const told: unknown[] = [];
  const outcomes = { ...memoryOutcomes(), get };
  const connection = await connectTo(serve([paying], { outcomes, onError: (error) => told.push(error) }));
  expect(await connection.request('pay', { amount: 3 }, keyed)).toMatchObject({
    result: { isError: true, structuredContent: { error: 'outcome_unknown' } },
  });
  expect(paid).toBe(0);
  expect(told).toHaveLength(1);
});

test.each([withReadOnlyHint, withIdempotentHint])(
  'where a store cannot be read, a call that does no harm twice is carried out (%#)',
  async (hint) => {
    const look = hint(pay, true);
    const looking = handle(look, () => ok('seen'));
    const connection = await connectTo(serve([looking], { outcomes: { ...memoryOutcomes(), get: broken } }));
    expect(await callTool(connection, look, { amount: 3 }, keyed)).toMatchObject({ output: 'seen' });
  },
);

test('where a store cannot be written, the caller has its result all the same', async () => {
  const told: unknown[] = [];
  const outcomes: OutcomeStore = {
    ...memoryOutcomes(),
    set: () => {
      throw new Error('The store is full');
    },
  };
  const connection = await connectTo(serve([paying], { outcomes, onError: (error) => told.push(error) }));
  expect(await callTool(connection, pay, { amount: 3 }, keyed)).toMatchObject({ kind: 'complete' });
  expect(told).toMatchObject([{ message: 'The store is full' }]);
});

test('memory keeps so many outcomes, so many bytes, and for so long', async () => {
  const outcomeOf = (text: string): KeptOutcome => ({
    digest: 'd',
    result: { content: [{ type: 'text', text }] },
  });
  const store = memoryOutcomes({ maxOutcomes: 2, maxBytes: 1_000 });
  for (const id of ['a', 'b', 'c']) await store.set(id, outcomeOf(id), 60_000);
  expect(await store.get('a')).toBeUndefined();
  expect(await store.get('c')).toEqual(outcomeOf('c'));
  await store.set('large', outcomeOf('x'.repeat(2_000)), 60_000);
  expect(await store.get('large')).toBeUndefined();
  await store.set('half', outcomeOf('x'.repeat(900)), 60_000);
  expect(await store.get('c')).toBeUndefined();
  await store.set('brief', outcomeOf('x'), 1);
  await until('its time is over', async () => (await store.get('brief')) === undefined);
});
