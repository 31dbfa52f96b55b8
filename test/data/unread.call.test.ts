import type { PayloadCodec } from '@temporalio/common';
import { encode } from '@temporalio/common/lib/encoding';
import { defineAgent, defineTool } from '../../src/tools';
import { openDesk, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { testServer } from '../support/test-server';

const INPUT = 'binary/input';
let ran = 0;
let unread = 0;
const take = defineTool({
  name: 'take',
  description: 'Takes nothing',
  execute: () => {
    ran += 1;
    return 'taken';
  },
});
/** Gives the inputs of calls back as they came at first, as a worker does that a new key has not reached. */
const lateCodec: PayloadCodec = {
  encode: (payloads) =>
    Promise.resolve(
      payloads.map((payload) =>
        Buffer.from(payload.data ?? '').includes('"mode":"run"')
          ? { ...payload, metadata: { encoding: encode(INPUT) } }
          : payload,
      ),
    ),
  decode: (payloads) =>
    Promise.resolve(
      payloads.map((payload) => {
        if (!Buffer.from(payload.metadata?.['encoding'] ?? '').equals(encode(INPUT))) return payload;
        return unread-- > 0 ? payload : { ...payload, metadata: { encoding: encode('json/plain') } };
      }),
    ),
};
let desk: Desk;
beforeAll(async () => {
  quietRuntime('silent');
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools: [take] })], testServer(), {
    payloadCodecs: [lateCodec],
  });
});
afterAll(() => desk?.close());

test('R33: a call that a worker has no key for has not begun: another may try, and only what ran is told', async () => {
  unread = 2;
  const turn = { toolCalls: [{ id: 't', name: 'take', arguments: {} }] };
  const { runId, toolCalls } = await desk.client.run('desk', desk.play([turn, { content: 'Done.' }]));
  expect(toolCalls).toMatchObject([{ name: 'take', output: 'taken', isError: false }]);
  expect(ran).toBe(1);
  const told: string[] = [];
  for await (const event of desk.client.events(runId)) told.push(event.type);
  expect(told).toEqual(['model', 'tool', 'model', 'run']);
  const { events } = await desk.client.temporal.workflow.getHandle(runId).fetchHistory();
  const failed = events?.flatMap((event) => event.activityTaskFailedEventAttributes?.failure ?? []);
  expect(failed?.map(({ applicationFailureInfo: info }) => info?.type)).toEqual([
    'Holdpoint.Data.Unreadable',
    'Holdpoint.Data.Unreadable',
  ]);
}, 60_000);
