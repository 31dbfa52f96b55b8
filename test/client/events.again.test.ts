import { Client } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { EventReader } from '../../src/client/event-reader';
import { WaitLimit } from '../../src/client/wait-limit';
import { defineAgent, defineTool } from '../../src/tools';
import { quietRuntime } from '../support/quiet-runtime';
import { contextOf } from './context-of';
import { openDesk, type Desk } from './desk';

const work = defineTool({ name: 'work', description: 'Works', execute: () => 'done' });
let desk: Desk;
beforeAll(async () => {
  quietRuntime();
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools: [work] })]);
});
afterAll(() => desk?.close());

/** Cannot read anything when it is asked for the first time. */
function hesitantCodec(): PayloadCodec {
  const asked = new Set<string>();
  return {
    encode: (payloads) => Promise.resolve(payloads),
    decode: (payloads) => {
      const text = Buffer.from(payloads[0]?.data ?? '').toString();
      if (text === '' || asked.has(text)) return Promise.resolve(payloads);
      asked.add(text);
      return Promise.reject(new Error('The keys are away'));
    },
  };
}

test('R44: a reading that failed half-way is repeated, and neither loses an event nor tells one twice', async () => {
  const turn = { toolCalls: [{ id: 'c', name: 'work', arguments: {} }] };
  const { runId } = await desk.client.run('desk', desk.play([turn, { content: 'Done.' }]));
  const { connection, options } = desk.client.temporal;
  const { events } = await desk.client.temporal.workflow.getHandle(runId).fetchHistory();
  const all = events ?? [];
  // Each event is a page of its own.
  const { workflowService } = desk.client.temporal;
  jest
    .spyOn(workflowService, 'getWorkflowExecutionHistory')
    .mockImplementation((request: { nextPageToken?: Uint8Array | null }) => {
      const at = Number(Buffer.from(request.nextPageToken ?? []).toString());
      const nextPageToken = Buffer.from(at + 1 < all.length ? String(at + 1) : '');
      return Promise.resolve({ history: { events: all.slice(at, at + 1) }, nextPageToken } as never);
    });
  const { namespace } = options;
  const dataConverter = { payloadCodecs: [hesitantCodec()] };
  const context = contextOf(new Client({ connection, namespace, dataConverter }));
  const reader = new EventReader(context, { workflowId: runId, runId }, { follow: false });
  const limit = new WaitLimit(context.temporal, {}, 60_000);
  const told: string[] = [];
  let failures = 0;
  for (let more = true; more;)
    try {
      const next = await reader.next(limit);
      told.push(...(next ?? []).map(({ type }) => type));
      more = next !== undefined;
    } catch {
      failures += 1;
    }
  expect(failures).toBeGreaterThan(3);
  expect(told).toEqual(['model', 'tool', 'model', 'run']);
});
