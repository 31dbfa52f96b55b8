import { canonicalJson, jsonSize } from '../../src/agent/json';
import type { RunStatus } from '../../src/agent/run-state';
import {
  endEventType,
  fittedEvent,
  MAX_EVENT_BYTES,
  MAX_EVENT_REQUEST_BYTES,
  notifyWorkflowId,
  webhookEventId,
  type WebhookRequest,
} from '../../src/agent/webhook-event';
import { textDigest } from '../../src/activities/digest';
import { without } from '../../src/agent/without';
import { eventBody, type WebhookEvent } from '../../src/webhooks/event';
import type { WebhookCallback } from '../../src/webhooks/options';
import { pendingEvent } from './events';

const callback: WebhookCallback = (request, { run, at }) =>
  `https://agents.example.com/v1/answers/${run.executionId}.${request.id}.${Date.parse(at)}`;

const bodyOf = async (...args: Parameters<typeof eventBody>): Promise<WebhookEvent> =>
  JSON.parse(await eventBody(...args)) as WebhookEvent;

const large = (id: string, bytes: number): WebhookRequest => ({
  id,
  kind: 'approval',
  prompt: 'approve it',
  data: { tool: 'send', input: { text: 'x'.repeat(bytes) }, digest: 'd1' },
});

test('a pending event holds all that an answer needs', async () => {
  const event = pendingEvent();
  await expect(bodyOf(event, callback)).resolves.toEqual({
    type: 'run.pending',
    timestamp: '2026-03-01T12:00:00.000Z',
    data: {
      eventId: 'evt_1',
      runId: 'order-1047',
      agent: 'refund-desk',
      tenant: 'acme',
      status: 'pending',
      requests: [
        {
          ...event.requests?.[0],
          callbackUrl: `https://agents.example.com/v1/answers/${event.run.executionId}.req_1.1772366400000`,
        },
      ],
    },
  });
});

test('the body of a repeat is the same to the last byte', async () => {
  const event = pendingEvent();
  const again = await eventBody(structuredClone(event), callback);
  expect(again).toBe(await eventBody(event, callback));
});

test('a reminder can be answered, an expired request cannot', async () => {
  const reminder = await bodyOf(pendingEvent({ type: 'request.reminder' }), callback);
  const expired = await bodyOf(pendingEvent({ type: 'request.expired' }), callback);
  expect(reminder.data.requests?.[0]?.callbackUrl).toBeDefined();
  expect(expired.data.requests?.[0]?.callbackUrl).toBeUndefined();
});

test('an end tells what the run said, or why it failed, without the data of the error', async () => {
  const about = without(pendingEvent(), 'requests');
  const done = await bodyOf(fittedEvent({ ...about, type: 'run.done', status: 'done', text: 'Refunded.' }));
  expect(done).toMatchObject({ type: 'run.done', data: { status: 'done', text: 'Refunded.' } });
  const error = { type: 'Holdpoint.Model.Failed', message: 'It said no.', data: { secret: 1 } };
  const failed = await bodyOf(fittedEvent({ ...about, type: 'run.failed', status: 'failed', error }));
  expect(failed.data.error).toEqual({ type: 'Holdpoint.Model.Failed', message: 'It said no.' });
  expect(failed.data.requests).toBeUndefined();
});

test.each<[RunStatus, string | undefined]>([
  ['done', 'run.done'],
  ['incomplete', 'run.done'],
  ['failed', 'run.failed'],
  ['cancelled', 'run.failed'],
  ['pending', undefined],
  ['running', undefined],
])('the end of a run that is %s is told as %s', (status, type) => {
  expect(endEventType(status)).toBe(type);
});

test('ids derive from the run and a number', () => {
  expect(webhookEventId('seed', 3)).toBe('evt_seed_3');
  expect(notifyWorkflowId('acme/order-1047', 3)).toBe('acme/order-1047/notify/3');
  // A database has 255 bytes for it.
  const long = ['ä', 'ö'].map((letter) => notifyWorkflowId(letter.repeat(124), 30));
  expect(long.map((id) => Buffer.byteLength(id) <= 250)).toEqual([true, true]);
  expect(new Set(long).size).toBe(2);
});

test('a request over its size goes without its data, says so, and keeps the digests; it can be answered', async () => {
  const request = large('req_1', MAX_EVENT_REQUEST_BYTES);
  const fitted = fittedEvent(pendingEvent({ requests: [request, large('req_2', 10)] }));
  expect(fitted.requests).toEqual([
    {
      id: 'req_1',
      kind: 'approval',
      prompt: 'approve it',
      truncated: true,
      data: { digest: 'd1' },
      dataDigest: textDigest(canonicalJson(request.data)),
    },
    large('req_2', 10),
  ]);
  const { data } = await bodyOf(fitted, callback);
  expect(data.requests?.[0]?.callbackUrl).toMatch(/req_1/);
});

test('a request just within its size is whole', () => {
  const room = MAX_EVENT_REQUEST_BYTES - jsonSize(large('req_1', 0));
  const fits = large('req_1', room);
  expect(fittedEvent(pendingEvent({ requests: [fits] })).requests).toEqual([fits]);
  const [cut] = fittedEvent(pendingEvent({ requests: [large('req_1', room + 1)] })).requests ?? [];
  expect(cut?.truncated).toBe(true);
});

test('a prompt or a URL without end does not travel either', () => {
  const endless = 'y'.repeat(MAX_EVENT_REQUEST_BYTES);
  const [cut] =
    fittedEvent(
      pendingEvent({ requests: [{ id: 'r', kind: 'input', prompt: endless, url: `https://${endless}` }] }),
    ).requests ?? [];
  expect(cut).toMatchObject({ id: 'r', truncated: true });
  expect(jsonSize(cut)).toBeLessThan(MAX_EVENT_REQUEST_BYTES);
});

test('many requests together stay within the size of an event, and none is lost', () => {
  const requests = Array.from({ length: 16 }, (_, index) => large(`req_${index}`, 60_000));
  const fitted = fittedEvent(pendingEvent({ requests }));
  expect(jsonSize(fitted)).toBeLessThan(MAX_EVENT_BYTES + 10_000);
  expect(fitted.requests?.map(({ id }) => id)).toEqual(requests.map(({ id }) => id));
  expect(fitted.requests?.[0]).toEqual(requests[0]);
  expect(fitted.requests?.at(-1)?.truncated).toBe(true);
});

test('marks never make an event larger', () => {
  const requests = Array.from({ length: 6_000 }, (_, index) => ({ ...large(`req_${index}`, 1) }));
  const event = pendingEvent({ requests });
  expect(jsonSize(fittedEvent(event))).toBeLessThanOrEqual(jsonSize(event));
});

test('a text that is cut says so', () => {
  const fitted = fittedEvent(pendingEvent({ type: 'run.done', text: 'z'.repeat(20_000) }));
  expect(fitted).toMatchObject({ truncated: true, text: expect.stringMatching(/^z{16000}…$/) as unknown });
  expect(fittedEvent(pendingEvent({ text: 'short' })).truncated).toBeUndefined();
});
