import type { PayloadCodec } from '@temporalio/common';
import { defineAgent, defineTool } from '../../src/tools';
import { newGate, openDesk, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { testServer } from '../support/test-server';
import { until } from '../support/until';

let isAway = false;
let isStuck = false;
let refused = 0;
const codec: PayloadCodec = {
  encode: (payloads) => {
    if (isAway) refused += 1;
    return isAway ? Promise.reject(new Error('The keys are away')) : Promise.resolve(payloads);
  },
  decode: (payloads) => (isStuck ? new Promise(() => undefined) : Promise.resolve(payloads)),
};
let gate = newGate();
let aborted = false;
const work = defineTool({
  name: 'work',
  description: 'Takes a while',
  execute: async (_args, { signal }) => {
    signal.addEventListener('abort', () => (aborted = true));
    await gate.open;
    return 'done';
  },
});
let desk: Desk;
beforeAll(async () => {
  quietRuntime('silent');
  const agents = [defineAgent({ name: 'desk', model: 'scripted', tools: [work] })];
  desk = await openDesk(agents, testServer(), { payloadCodecs: [codec] });
});
afterAll(() => desk?.close());
const turn = { toolCalls: [{ id: 'c', name: 'work', arguments: {} }] };

test('R33: a codec that is away for some seconds does not end the calls that are under way', async () => {
  const { runId } = await desk.client.start('desk', desk.play([turn, { content: 'Done.' }]));
  await until('it is under way', async () => {
    const { raw } = await desk.client.temporal.workflow.getHandle(runId).describe();
    return raw.pendingActivities?.[0]?.heartbeatDetails != null;
  });
  isAway = true;
  // Six refusals take longer than a message has.
  await until('it is missed', () => Promise.resolve(refused >= 6));
  isAway = false;
  gate.unlock();
  const { toolCalls } = await desk.client.result(runId);
  expect(toolCalls).toMatchObject([{ output: 'done', isError: false }]);
  expect(aborted).toBe(false);
}, 60_000);

test('a codec that stays away does not end the worker whose call fails meanwhile', async () => {
  gate = newGate();
  const held = newGate();
  const { runId } = await desk.client.start(
    'desk',
    desk.play([{ hold: held.open, status: 400, body: 'No.' }]),
  );
  await until('the model is asked', async () => {
    const { raw } = await desk.client.temporal.workflow.getHandle(runId).describe();
    return raw.pendingActivities?.[0]?.heartbeatDetails != null;
  });
  refused = 0;
  isAway = true;
  held.unlock();
  await until('it is missed', () => Promise.resolve(refused >= 9), 50_000);
  isAway = false;
  expect(await desk.client.result(runId)).toMatchObject({ status: 'failed' });
  expect(await desk.client.run('desk', desk.play([{ content: 'Done.' }]))).toMatchObject({ status: 'done' });
}, 120_000);

test('a codec that hangs holds no call of a client beyond its time', async () => {
  const { runId } = await desk.client.run('desk', desk.play([{ content: 'Done.' }]));
  const type = 'Holdpoint.Client.WaitTimedOut';
  isStuck = true;
  try {
    await expect(desk.client.get(runId, { waitMs: 500 })).rejects.toMatchObject({ type });
    const over = new AbortController();
    const looked = desk.client.get(runId, { signal: over.signal });
    over.abort(new Error('No longer needed'));
    await expect(looked).rejects.toThrow('No longer needed');
  } finally {
    isStuck = false;
  }
}, 20_000);
