import { answerDeclined, answerOutput, relayCallsOf } from '../../src/agent/relay';
import type { Request } from '../../src/agent/request';
import type { WaitFor, WaitForContext } from '../../src/agent/wait-for';
import { balanceProblem } from '../../src/agent/balance';
import { defineAgent, defineTool } from '../../src/tools';
import { calls, newId, openDesk, relayed, type Desk } from '../client/desk';
import { bareRun } from '../support/bare-run';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';

const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order',
  needsApproval: true,
  execute: () => 'refunded',
});

/** Longer than a cancellation takes to come, with a heartbeat, on a busy machine. */
const TIME_MS = 8_000;

let desk: Desk;
/** The worker's host, one a test. */
let host: WaitFor;
let asked: Request[];

beforeAll(async () => {
  quietRuntime();
  const agent = defineAgent({ name: 'desk', model: 'scripted', tools: [relayed, refund] });
  desk = await openDesk([agent], undefined, {
    waitForTimeoutMs: TIME_MS,
    waitFor: (request, ctx) => {
      asked.push(request);
      return host(request, ctx);
    },
  });
});
beforeEach(() => {
  asked = [];
});
afterAll(() => desk.close());

const run = (...ids: string[]) => desk.client.run('desk', desk.play([calls(...ids), { content: 'Done.' }]));

/** Never answers. `aborted` resolves when it is told to stop, `reason` says why. */
function silentHost() {
  let reason: string | undefined;
  let stop = (): void => undefined;
  const aborted = new Promise<void>((resolve) => (stop = resolve));
  const silent: WaitFor = (_request, { signal }) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        reason = String(signal.reason);
        stop();
        reject(new Error('stopped'));
      }),
    );
  return { silent, aborted, reason: () => reason };
}

test('R32: each relay call is a request of its own, all are asked at once, each exactly once', async () => {
  let release = (): void => undefined;
  const all = new Promise<void>((resolve) => (release = resolve));
  host = async (request) => {
    // Nobody gets an answer before everybody has been asked.
    if (asked.length === 3) release();
    await all;
    return answerOutput(request.id, `units of ${relayCallsOf(request)[0]?.id}`);
  };
  const done = await run('a', 'b', 'c');
  expect(done).toMatchObject({ status: 'done' });
  expect(done.toolCalls.map(({ output }) => output)).toEqual(['units of a', 'units of b', 'units of c']);
  expect(asked.map((request) => relayCallsOf(request).map(({ id }) => id)).sort()).toEqual([
    ['a'],
    ['b'],
    ['c'],
  ]);
  expect(done.receipts?.map(({ via }) => via)).toEqual(['waitFor', 'waitFor', 'waitFor']);
});

test('R32: the host is told which run asks', async () => {
  let told: Partial<WaitForContext> = {};
  host = async (request, ctx) => {
    told = ctx;
    return answerOutput(request.id, '1');
  };
  const conversationId = newId();
  const done = await desk.client.ask('desk', conversationId, desk.play([calls('a'), { content: 'Done.' }]));
  expect(told).toMatchObject({ runId: done.runId, conversationId, agent: 'desk' });
});

test('R32: an approval that the host declines does not run its tool, and the run goes on', async () => {
  host = async (request) => answerDeclined(request.id, 'over budget');
  const toolCalls = [{ id: 'r', name: 'refund', arguments: {} }];
  const done = await desk.client.run('desk', desk.play([{ toolCalls }, { content: 'Done.' }]));
  expect(done.toolCalls).toMatchObject([
    { output: 'declined/expired: approve refund({})\nreason: over budget', isError: true },
  ]);
});

test('R32: an approved call runs without its host being asked about it again', async () => {
  host = async (request) => ({ id: request.id, ok: true });
  const toolCalls = [{ id: 'r', name: 'refund', arguments: {} }];
  const done = await desk.client.run('desk', desk.play([{ toolCalls }, { content: 'Done.' }]));
  expect(done.toolCalls).toMatchObject([{ output: 'refunded' }]);
  expect(asked.map(({ kind }) => kind)).toEqual(['approval']);
});

test('R32: a host that throws fails the run with its error; every call has its result', async () => {
  host = (request) =>
    relayCallsOf(request)[0]?.id === 'b'
      ? Promise.reject(new Error('The till is shut'))
      : Promise.resolve(answerOutput(request.id, '1'));
  const failed = await run('a', 'b');
  expect(failed).toMatchObject({
    status: 'failed',
    error: { type: 'Holdpoint.Run.WaitForFailed', message: 'The till is shut' },
  });
  expect(balanceProblem(failed.messages)).toBeUndefined();
  expect(failed.toolCalls).toHaveLength(2);
  expect(failed.toolCalls[1]).toMatchObject({ isError: true });
});

test.each([
  ['an answer without results', (id: string) => ({ id, ok: true }), /neither/],
  [
    'an answer to another request',
    () => ({ id: 'req_nobody', ok: true, data: { output: '1' } }),
    /req_nobody/,
  ],
  ['something that is no answer', () => 'yes', /answer object/],
  ['nothing', () => undefined, /answer object/],
])('R32: %s counts as a throw', async (_title, answer, message) => {
  host = (request) => Promise.resolve(answer(request.id) as never);
  const failed = await run('a');
  expect(failed).toMatchObject({ status: 'failed', error: { type: 'Holdpoint.Run.WaitForFailed' } });
  expect(failed.error?.message).toMatch(message);
  expect(balanceProblem(failed.messages)).toBeUndefined();
});

test('R32: an answer by signal meanwhile wins, and aborts its host alone; what that then throws is ignored', async () => {
  const [a, b] = [silentHost(), silentHost()];
  host = (request, ctx) => (relayCallsOf(request)[0]?.id === 'a' ? a : b).silent(request, ctx);
  const { runId } = await desk.client.start('desk', desk.play([calls('a', 'b'), { content: 'Done.' }]));
  await until('both are asked', () => asked.length === 2);
  const idOf = (call: string) => asked.find((request) => relayCallsOf(request)[0]?.id === call)?.id ?? '';
  await bareRun(desk.client, runId).signal(answerOutput(idOf('a'), '1'));
  await a.aborted;
  expect(a.reason()).not.toMatch(/no answer within/);
  expect(b.reason()).toBeUndefined();
  await expect(desk.client.get(runId)).resolves.toMatchObject({ status: 'running' });
  await bareRun(desk.client, runId).signal(answerOutput(idOf('b'), '2'));
  await expect(desk.client.result(runId)).resolves.toMatchObject({
    status: 'done',
    toolCalls: [{ output: '1' }, { output: '2' }],
    receipts: [{ via: 'signal' }, { via: 'signal' }],
  });
});

test('R32: while the host is asked the run is not halted, and its requests can be answered by update', async () => {
  host = silentHost().silent;
  const { runId } = await desk.client.start('desk', desk.play([calls('a'), { content: 'Done.' }]));
  await until('the host is asked', () => asked.length === 1);
  await expect(desk.client.get(runId)).resolves.toMatchObject({ status: 'running' });
  const receipt = await desk.client.answer(runId, answerOutput(asked[0]?.id ?? '', '1'));
  expect(receipt).toMatchObject({ resolved: true, via: 'update' });
});

test('R32: after its time the run halts with its requests as they are, and nobody is asked again', async () => {
  host = silentHost().silent;
  const halted = await run('a', 'b');
  expect(halted).toMatchObject({ status: 'pending' });
  expect(halted.requests?.map(({ id }) => id)).toEqual(asked.map(({ id }) => id).sort());
  const [first, second] = halted.requests ?? [];
  await desk.client.answer(halted.runId, answerOutput(second?.id ?? '', '2'));
  const done = await desk.client.runWithAnswer(halted.runId, answerOutput(first?.id ?? '', '1'));
  expect(done.toolCalls.map(({ output }) => output)).toEqual(['1', '2']);
  expect(asked).toHaveLength(2);
});

test('R32: after its worker has gone the host is asked again, about the same request', async () => {
  const { silent } = silentHost();
  host = (request, ctx) => (asked.length === 1 ? silent(request, ctx) : answerOutput(request.id, '1'));
  const { runId } = await desk.client.start('desk', desk.play([calls('a'), { content: 'Done.' }]));
  await until('the host is asked', () => asked.length === 1);
  await desk.stopWorker();
  await desk.startWorker();
  await expect(desk.client.result(runId)).resolves.toMatchObject({
    status: 'done',
    toolCalls: [{ output: '1' }],
  });
  expect(asked).toHaveLength(2);
  expect(asked[1]).toEqual(asked[0]);
});
