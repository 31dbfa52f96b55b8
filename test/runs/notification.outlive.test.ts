import { approve } from '../../src/agent/decisions';
import { notifyWorkflowId } from '../../src/agent/webhook-event';
import type { WebhookEvent } from '../../src/webhooks/event';
import { defineAgent, defineTool } from '../../src/tools';
import { newGate, newId, openDesk, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { testServer } from '../support/test-server';
import { until } from '../support/until';
import { SECRET } from '../webhooks/events';
import { serve, verified, type LocalServer, type Received } from '../webhooks/receiver';

let desk: Desk;
let receiver: LocalServer;
const received: Received[] = [];
/** The receiver takes nothing before it is open. */
let gate = newGate();

beforeAll(async () => {
  quietRuntime();
  receiver = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      void gate.open.then(() => response.writeHead(204).end());
    });
  });
  const base = { description: 'Pays', needsApproval: true as const, execute: () => 'paid' };
  const tools = [
    defineTool({ ...base, name: 'soon', remindAfter: '3 seconds' }),
    defineTool({ ...base, name: 'later', remindAfter: '4 seconds' }),
  ];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })], testServer(), {
    webhooks: {
      endpoints: [{ id: 'shop', url: receiver.url, secrets: [SECRET] }],
      allow: ['127.0.0.1:*'],
    },
  });
});
beforeEach(() => {
  received.splice(0);
  gate = newGate();
});
afterEach(() => gate.unlock());
afterAll(async () => {
  await desk?.close();
  await receiver?.close();
});

const done = { content: 'Done.' };
const calls = (...names: string[]) => ({
  toolCalls: names.map((name) => ({ id: name, name, arguments: {} })),
});
const events = (runId: string): WebhookEvent[] =>
  received.map((one) => verified(one, SECRET)).filter(({ data }) => data.runId === runId);
const handleOf = (workflowId: string) => desk.client.temporal.workflow.getHandle(workflowId);

test('a delivery under way goes on when the run is cancelled, whatever started it', async () => {
  const halted = await desk.client.run('desk', desk.play([calls('soon', 'later'), done]));
  const [soon] = halted.requests ?? [];
  // The answer moves the run's timer to the reminder of the other request.
  await desk.client.answer(halted.runId, approve(soon?.id ?? ''));
  const reminded = () => events(halted.runId).filter(({ type }) => type === 'request.reminder');
  await until('the reminder is on its way', () => reminded().length > 0);
  await desk.client.cancel(halted.runId);
  await desk.client.result(halted.runId);
  gate.unlock();
  await expect(handleOf(notifyWorkflowId(halted.runId, 1)).result()).resolves.toMatchObject({
    deliveries: [{ is: 'delivered' }],
  });
});

test('erasing a run ends and erases its deliveries under way; a run of the same id tells of itself', async () => {
  const runId = newId();
  await desk.client.run('desk', desk.play([calls('soon'), done]), { runId });
  await until('a delivery is under way', () => events(runId).length > 0);
  await desk.client.erase(runId);
  const delivery = handleOf(notifyWorkflowId(runId, 0));
  await expect(delivery.describe()).rejects.toThrow(/not found/);
  received.splice(0);
  await desk.client.run('desk', desk.play([calls('later'), done]), { runId });
  await until('the new run is told of', () => events(runId).length > 0);
  expect(events(runId)[0]?.data.requests).toMatchObject([{ data: { tool: 'later' } }]);
  gate.unlock();
  await expect(delivery.result()).resolves.toMatchObject({ deliveries: [{ is: 'delivered' }] });
  await desk.client.cancel(runId);
});
