import { approve } from '../../src/agent/decisions';
import { answerOutput } from '../../src/agent/relay';
import type { WebhookEvent } from '../../src/webhooks/event';
import { agentTool, defineAgent, defineTool, relayTool } from '../../src/tools';
import { newId, openDesk, pendingId, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { testServer } from '../support/test-server';
import { until } from '../support/until';
import { SECRET } from '../webhooks/events';
import { openReceiver, verified, type Receiver } from '../webhooks/receiver';

let desk: Desk;
let receiver: Receiver;

beforeAll(async () => {
  quietRuntime();
  receiver = await openReceiver();
  const refund = defineTool({
    name: 'refund',
    description: 'Pays',
    needsApproval: true,
    execute: () => 'paid',
  });
  const stock = relayTool({ name: 'stock', description: 'Units', expiresIn: 1_000 });
  const clerk = defineAgent({ name: 'clerk', model: 'scripted', tools: [refund] });
  const agent = defineAgent({ name: 'desk', model: 'scripted', tools: [refund, stock, agentTool(clerk)] });
  desk = await openDesk([agent], testServer(), {
    webhooks: {
      endpoints: [
        { id: 'shop', url: receiver.url, secrets: [SECRET] },
        { id: 'acme', url: receiver.url, secrets: [SECRET], tenant: 'acme' },
      ],
      allow: ['127.0.0.1:*'],
      callback: (request) => `https://agents.example/answers/${request.id}`,
    },
  });
});
afterAll(async () => {
  await desk?.close();
  await receiver?.close();
});

const call = (name: string, args = {}) => ({ toolCalls: [{ id: 'a', name, arguments: args }] });
const done = { content: 'Done.' };

/** The events of one run that came so far, in the order of their ids. */
function eventsOf(runId: string): WebhookEvent[] {
  return receiver.received
    .map((one) => verified(one, SECRET))
    .filter((event) => event.data.runId === runId)
    .sort((a, b) => a.data.eventId.localeCompare(b.data.eventId));
}

const told = (runId: string, ...types: string[]) =>
  until(`${types.join(', ')} are told`, async () =>
    expectTypes(
      eventsOf(runId).map(({ type }) => type),
      types,
    ),
  );
const expectTypes = (got: string[], wanted: string[]) => [...got].sort().join() === [...wanted].sort().join();

test('a halt and the end are told, once each, with all that an answer needs', async () => {
  const client = desk.client.forTenant('acme');
  const halted = await client.run('desk', desk.play([call('refund'), done]));
  const { runId } = halted;
  await told(runId, 'run.pending');
  const [event] = eventsOf(runId);
  expect(event?.data).toMatchObject({
    runId,
    agent: 'desk',
    tenant: 'acme',
    requests: [{ ...halted.pending, callbackUrl: `https://agents.example/answers/${pendingId(halted)}` }],
  });
  await client.runWithAnswer(halted.runId, approve(pendingId(halted)));
  await told(runId, 'run.pending', 'run.done');
});

test('an expiry is told; a later request of the run is told by itself', async () => {
  const halted = await desk.client.run('desk', desk.play([call('stock'), call('refund'), done]));
  await told(halted.runId, 'run.pending', 'request.expired', 'run.pending');
  const requests = eventsOf(halted.runId).map(({ data }) => data.requests?.map(({ kind }) => kind));
  expect(requests).toEqual([['tool_call'], ['tool_call'], ['approval']]);
  await desk.client.cancel(halted.runId);
  await told(halted.runId, 'run.pending', 'request.expired', 'run.pending', 'run.failed');
});

test('asks of a conversation tell under their own ids', async () => {
  const id = newId();
  const halted = await desk.client.ask('desk', id, desk.play([call('stock'), done]));
  await desk.client.askWithAnswer(id, answerOutput(pendingId(halted), '3'));
  await told(`${id}/1`, 'run.pending', 'run.done');
  await desk.client.close(id);
});

test('what a sub-agent waits on is told once, by the run that it surfaces on', async () => {
  const input = desk.play([call('refund'), done]);
  const halted = await desk.client.run('desk', desk.play([call('clerk', { input }), done]));
  await desk.client.runWithAnswer(halted.runId, approve(pendingId(halted)));
  await told(halted.runId, 'run.pending', 'run.done');
  expect(eventsOf(halted.runId)[0]?.data.requests).toMatchObject([{ path: ['clerk'] }]);
  expect(eventsOf(`${halted.runId}/agent-1-0`)).toEqual([]);
});
