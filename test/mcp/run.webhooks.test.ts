import { isRecord } from '../../src/agent/json';
import { agentTools } from '../../src/mcp/run/agent-tools';
import { defineAgent } from '../../src/tools';
import { openDesk, type Desk } from '../client/desk';
import { testServer } from '../support/test-server';
import { until } from '../support/until';
import { SECRET } from '../webhooks/events';
import { openReceiver, type Receiver } from '../webhooks/receiver';
import { booking, SIGN_IN } from './booking';

let receiver: Receiver;
let desk: Desk;
afterEach(async () => {
  await desk.close();
  await receiver.close();
});

test('a webhook tells what a tool asks: the form that it takes, and the address that it leads to', async () => {
  receiver = await openReceiver();
  const agent = defineAgent({ name: 'desk', model: 'scripted', tools: agentTools(booking) });
  desk = await openDesk([agent], testServer(), {
    webhooks: {
      endpoints: [{ id: 'crm', url: receiver.url, secrets: [SECRET], events: ['run.pending'] }],
      allow: ['127.0.0.1:*'],
    },
  });
  const told = (): unknown[] =>
    receiver.received.flatMap(({ body }) => {
      const { data } = JSON.parse(body) as { data: unknown };
      return isRecord(data) && Array.isArray(data['requests']) ? (data['requests'] as unknown[]) : [];
    });
  await desk.client.run(
    'desk',
    desk.play([{ toolCalls: [{ id: 'c', name: 'book', arguments: {} }] }, { content: 'Done.' }]),
  );
  await until('both are told', () => told().length >= 2);
  expect(told()).toMatchObject([
    { kind: 'input', data: { tool: 'book', asks: 'form', form: { properties: { row: { minimum: 1 } } } } },
    { kind: 'authorization', url: SIGN_IN, data: { tool: 'book' } },
  ]);
});
