import { answerOutput } from '../../src/agent/relay';
import { bundleWorkflows } from '../../src/worker';
import { calls, newGate, newId, openDesk, pendingId, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { SECRET } from '../webhooks/events';
import { serve, verified, type LocalServer, type Received } from '../webhooks/receiver';
import type { order } from './own-workflows';

const activities = { ship: (what: string): Promise<string> => Promise.resolve(`shipped ${what}`) };
const received: Received[] = [];
const gate = newGate();
let desk: Desk;
let receiver: LocalServer;

/** A receiver that takes nothing before the gate is open. */
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
  desk = await openDesk();
  await desk.stopWorker();
  await desk.startWorker({
    workflowBundle: await bundleWorkflows({ workflowsPath: require.resolve('./own-workflows') }),
    activities,
    webhooks: {
      endpoints: [{ id: 'shop', url: receiver.url, secrets: [SECRET] }],
      allow: ['127.0.0.1:*'],
    },
  });
}, 120_000);
afterAll(async () => {
  gate.unlock();
  await desk?.close();
  await receiver?.close();
});

test('what several runs of one workflow tell is told, though the deliveries of the first go on', async () => {
  const { client, taskQueue } = desk;
  const text = desk.play([calls('a'), { content: 'First.' }]);
  desk.play([{ content: 'Second.' }], `${text} again`);
  const workflowId = newId();
  const { workflow } = client.temporal;
  const handle = await workflow.start<typeof order>('order', { workflowId, taskQueue, args: [text] });
  const halted = await client.waitForHalt(workflowId);
  await client.answer(workflowId, answerOutput(pendingId(halted), '7'));
  await handle.result();
  const told = () => {
    const events = received.map((one) => verified(one, SECRET));
    return new Map(events.map(({ type, data }) => [data.eventId, `${type} ${data.text ?? ''}`]));
  };
  await until('all is told', () => told().size >= 3);
  expect([...told().values()].sort()).toEqual(['run.done First.', 'run.done Second.', 'run.pending ']);
}, 60_000);
