/** Deliveries on the real server. Receivers ask for short waits by Retry-After, so that the tests need none. */
import type { AgentNotifyOutcome, WebhookEventDraft } from '../../src/agent/webhook-event';
import { notifyWorkflowId, WEBHOOK_EVENT_TYPES } from '../../src/agent/webhook-event';
import { WORKFLOW_NOTIFY } from '../../src/agent/wire';
import type { WebhookEndpoint } from '../../src/worker';
import { newId, openDesk, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { testServer } from '../support/test-server';
import { until } from '../support/until';
import { NEXT_SECRET, pendingEvent, SECRET } from './events';
import { openReceiver, verified, type Receiver, type ReceiverAnswer } from './receiver';

/** None at all would be none: the server then tries no more. */
const soon = { 'retry-after': '0' };

let desk: Desk;
let endpoints: readonly WebhookEndpoint[] = [];
const open: Receiver[] = [];

beforeAll(async () => {
  quietRuntime();
  const webhooks = {
    endpoints: () => endpoints,
    allow: ['127.0.0.1:*'],
    callback: ({ id }: { readonly id: string }) => `https://agents.example.com/v1/answers/${id}`,
  };
  desk = await openDesk(undefined, testServer(), { webhooks });
});
afterEach(() => Promise.all(open.splice(0).map((receiver) => receiver.close())));
afterAll(() => desk?.close());

async function receiverThat(...answers: readonly ReceiverAnswer[]): Promise<Receiver> {
  const receiver = await openReceiver(answers);
  open.push(receiver);
  return receiver;
}

const endpoint = (id: string, { url }: Receiver, more: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id,
  url,
  secrets: [SECRET],
  tenant: 'acme',
  ...more,
});

async function tell(event: WebhookEventDraft = pendingEvent()) {
  const handle = await desk.client.temporal.workflow.start(WORKFLOW_NOTIFY, {
    workflowId: notifyWorkflowId(newId(), 1),
    taskQueue: desk.taskQueue,
    args: [event],
  });
  return {
    handle,
    outcome: (): Promise<AgentNotifyOutcome> => handle.result() as Promise<AgentNotifyOutcome>,
  };
}

test('an event is told again until it is taken: the same id and body, each time signed anew', async () => {
  const receiver = await receiverThat(
    { status: 500, headers: soon },
    { status: 404, headers: soon },
    { status: 204 },
  );
  endpoints = [endpoint('crm', receiver, { secrets: [NEXT_SECRET, SECRET] })];
  const { outcome } = await tell();
  await expect(outcome()).resolves.toEqual({
    eventId: 'evt_1',
    deliveries: [{ endpointId: 'crm', is: 'delivered', status: 204 }],
  });
  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  for (const request of receiver.received)
    for (const secret of [SECRET, NEXT_SECRET])
      expect(verified(request, secret).data.requests?.[0]?.callbackUrl).toBe(
        'https://agents.example.com/v1/answers/req_1',
      );
});

test('an endpoint that is away holds up no other, and one that is taken out of the configuration ends it', async () => {
  const away = await receiverThat({ status: 503, headers: soon });
  const there = await receiverThat({ status: 200 });
  endpoints = [endpoint('away', away), endpoint('there', there)];
  const { handle, outcome } = await tell();
  await until('the other endpoint was told', () => there.received.length === 1);
  await expect(handle.describe()).resolves.toMatchObject({ status: { name: 'RUNNING' } });
  endpoints = [endpoint('there', there)];
  await expect(outcome()).resolves.toEqual({
    eventId: 'evt_1',
    deliveries: [
      { endpointId: 'away', is: 'dropped', reason: 'the endpoint is no longer configured' },
      { endpointId: 'there', is: 'delivered', status: 200 },
    ],
  });
});

test('every event is told to those who want it, and to each under an id of its own', async () => {
  const receiver = await receiverThat({ status: 204 });
  endpoints = [
    endpoint('all', receiver),
    endpoint('ends', receiver, { events: ['run.done', 'run.failed'] }),
    endpoint('stranger', receiver, { tenant: 'other' }),
  ];
  const told = await Promise.all(
    WEBHOOK_EVENT_TYPES.map(async (type) => {
      const { outcome } = await tell(pendingEvent({ type, id: `evt_${type}` }));
      const { deliveries } = await outcome();
      return [type, deliveries.map(({ endpointId }) => endpointId)];
    }),
  );
  expect(told).toEqual([
    ['run.pending', ['all']],
    ['run.done', ['all', 'ends']],
    ['run.failed', ['all', 'ends']],
    ['request.reminder', ['all']],
    ['request.expired', ['all']],
  ]);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(7);
});

test('an event that nobody wants is told to nobody', async () => {
  endpoints = [];
  const { outcome } = await tell();
  await expect(outcome()).resolves.toEqual({ eventId: 'evt_1', deliveries: [] });
});

test('large events reach many endpoints: no step of the workflow sends more than the server takes', async () => {
  const receiver = await receiverThat({ status: 204 });
  endpoints = Array.from({ length: 24 }, (_, index) => endpoint(`e-${index}`, receiver));
  const requests = Array.from({ length: 5 }, (_, index) => ({
    id: `req_${index}`,
    kind: 'input',
    prompt: 'Read this',
    data: { text: 'x'.repeat(50_000) },
  }));
  const { outcome } = await tell(pendingEvent({ requests }));
  const { deliveries } = await outcome();
  expect(deliveries.map(({ is }) => is)).toEqual(Array.from({ length: 24 }, () => 'delivered'));
});

test('a delivery goes on after its worker: the next one makes the next attempt', async () => {
  const receiver = await receiverThat({ status: 503, headers: { 'retry-after': '1' } }, { status: 200 });
  endpoints = [endpoint('crm', receiver)];
  const { outcome } = await tell();
  await until('the first attempt was made', () => receiver.received.length === 1);
  await desk.stopWorker();
  await desk.startWorker();
  await expect(outcome()).resolves.toMatchObject({ deliveries: [{ is: 'delivered' }] });
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
});
