import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { AgentNotifyOutcome } from '../../src/agent/webhook-event';
import { WORKFLOW_NOTIFY } from '../../src/agent/wire';
import { startTimeSkippingServer } from '../../src/testing';
import { newId, openDesk, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { pendingEvent, SECRET } from './events';
import { openReceiver, type Receiver, type ReceiverAnswer } from './receiver';

// Its server is a Java program, which starts slowly on a busy machine.
jest.setTimeout(180_000);

let environment: TestWorkflowEnvironment;
let desk: Desk;
let url = '';
const open: Receiver[] = [];

beforeAll(async () => {
  quietRuntime();
  environment = await startTimeSkippingServer({ onProgress: (line) => process.stderr.write(`${line}\n`) });
  const { address, namespace = 'default' } = environment;
  const endpoints = () => [{ id: 'crm', url, secrets: [SECRET], tenant: 'acme' }];
  desk = await openDesk(
    undefined,
    { address, namespace },
    { webhooks: { endpoints, allow: ['127.0.0.1:*'] } },
  );
});
afterAll(async () => {
  await desk?.close();
  await Promise.all(open.map((receiver) => receiver.close()));
  await environment?.teardown();
});

/** Tells a receiver that answers so, and how long that took by the server's clock. */
async function tell(answers: readonly ReceiverAnswer[]) {
  const receiver = await openReceiver(answers);
  open.push(receiver);
  url = receiver.url;
  // The environment's client lets the clock jump while it waits.
  const handle = await environment.client.workflow.start(WORKFLOW_NOTIFY, {
    workflowId: newId(),
    taskQueue: desk.taskQueue,
    args: [pendingEvent()],
  });
  const outcome = (await handle.result()) as AgentNotifyOutcome;
  const { startTime, closeTime = startTime } = await handle.describe();
  const hours = (closeTime.getTime() - startTime.getTime()) / 3_600_000;
  return { outcome, hours, attempts: receiver.received.length };
}

test('an endpoint that comes back after half a day is told then', async () => {
  const away = Array.from({ length: 13 }, () => ({ status: 503 }));
  const { outcome, hours, attempts } = await tell([...away, { status: 204 }]);
  expect(outcome.deliveries).toEqual([{ endpointId: 'crm', is: 'delivered', status: 204 }]);
  expect(attempts).toBe(14);
  expect(hours).toBeGreaterThan(8);
  expect(hours).toBeLessThan(16);
});

test('an endpoint that stays away is given up after three days, and the delivery says why', async () => {
  const { outcome, hours, attempts } = await tell([{ status: 503 }]);
  expect(outcome.deliveries).toEqual([
    {
      endpointId: 'crm',
      is: 'failed',
      reason: expect.stringMatching(/crm was not told: it answered 503/) as unknown,
    },
  ]);
  expect(attempts).toBeGreaterThan(20);
  expect(hours).toBeGreaterThan(60);
  expect(hours).toBeLessThan(72.1);
});
