/** The wire names of deliveries, in literals, as `names.pin.test.ts` has those of runs. */
import { Client } from '@temporalio/client';
import { newId, openDesk, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { testServer } from '../support/test-server';
import { pendingEvent, SECRET } from '../webhooks/events';
import { openReceiver, verified, type Receiver } from '../webhooks/receiver';

let desk: Desk;
let receiver: Receiver;
let bare: Client;

beforeAll(async () => {
  quietRuntime();
  receiver = await openReceiver();
  const endpoints = [{ id: 'crm', url: receiver.url, secrets: [SECRET], tenant: 'acme' }];
  desk = await openDesk(undefined, testServer(), { webhooks: { endpoints, allow: ['127.0.0.1:*'] } });
  const { connection, options } = desk.client.temporal;
  bare = new Client({ connection, namespace: options.namespace });
});
afterAll(async () => {
  await desk?.close();
  await receiver?.close();
});

test('agentNotify takes an event as plain JSON and tells what became of it', async () => {
  const event = pendingEvent();
  const handle = await bare.workflow.start('agentNotify', {
    workflowId: newId(),
    taskQueue: desk.taskQueue,
    args: [event],
  });
  await expect(handle.result()).resolves.toEqual({
    eventId: 'evt_1',
    deliveries: [{ endpointId: 'crm', is: 'delivered', status: 204 }],
  });

  const { events } = await handle.fetchHistory();
  const scheduled = (events ?? []).flatMap((entry) => entry.activityTaskScheduledEventAttributes ?? []);
  expect(scheduled.map(({ activityType }) => activityType?.name)).toEqual(['notifyTargets', 'notify']);
  const inputs = scheduled.map(({ input }): unknown =>
    JSON.parse(Buffer.from(input?.payloads?.[0]?.data ?? []).toString()),
  );
  expect(inputs).toEqual([
    { type: 'run.pending', agent: 'refund-desk', tenant: 'acme' },
    { event, endpointId: 'crm' },
  ]);
});

test('a receiver finds these keys, whatever version sent them', () => {
  const [request] = receiver.received;
  if (!request) throw new Error('nothing came');
  const { type, timestamp, data } = verified(request, SECRET);
  expect({ type, timestamp }).toEqual({ type: 'run.pending', timestamp: '2026-03-01T12:00:00.000Z' });
  expect(Object.keys(data)).toEqual(['eventId', 'runId', 'agent', 'tenant', 'status', 'requests']);
  expect(Object.keys(data.requests?.[0] ?? {})).toEqual(['id', 'kind', 'prompt', 'data', 'expiresAt']);
  expect(request.headers['webhook-id']).toBe('msg_45c13658b2815b12c28974c5d72545f19d6f13fb');
});

test('what is no event is refused, and wedges nothing', async () => {
  const handle = await bare.workflow.start('agentNotify', {
    workflowId: newId(),
    taskQueue: desk.taskQueue,
    args: [{ type: 'run.pending' }],
  });
  await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'Holdpoint.Run.InvalidInput' } });
});
