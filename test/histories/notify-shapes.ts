/** The shapes of deliveries, and of runs that start some. Their desk has `webhooks`. */
import { answerOutput } from '../../src/agent/relay';
import { WORKFLOW_NOTIFY } from '../../src/agent/wire';
import type { WebhookOptions } from '../../src/worker';
import { calls, newId, pendingId, type Desk } from '../client/desk';
import { until } from '../support/until';
import { pendingEvent, SECRET } from '../webhooks/events';
import type { Receiver } from '../webhooks/receiver';
import type { Shape } from './shapes';

/** One endpoint takes what it is told, the other never does. */
export function webhooksTo(taking: Receiver, away: Receiver): WebhookOptions {
  return {
    endpoints: [
      { id: 'taking', url: taking.url, secrets: [SECRET], tenant: 'acme' },
      { id: 'away', url: away.url, secrets: [SECRET], tenant: 'acme', events: ['run.pending'] },
    ],
    allow: ['127.0.0.1:*'],
  };
}

const tell = (desk: Desk, type: 'run.pending' | 'run.done') =>
  desk.client.temporal.workflow.start(WORKFLOW_NOTIFY, {
    workflowId: newId(),
    taskQueue: desk.taskQueue,
    args: [pendingEvent({ type })],
  });

export const NOTIFY_SHAPES: Readonly<Record<string, Shape>> = {
  'notify-told': async (desk) => {
    const handle = await tell(desk, 'run.done');
    await handle.result();
    return handle.workflowId;
  },
  'notify-parked': async (desk) => {
    const handle = await tell(desk, 'run.pending');
    // The endpoints were asked for, and one of them was told.
    const completed = async (): Promise<number> => {
      const { events } = await handle.fetchHistory();
      return (events ?? []).filter((event) => event.activityTaskCompletedEventAttributes).length;
    };
    await until('one endpoint was told', async () => (await completed()) === 2);
    return handle.workflowId;
  },
  'run-that-tells': async (desk) => {
    const text = desk.play([calls('a'), { content: 'Done.' }]);
    const client = desk.client.forTenant('acme');
    const halted = await client.run('desk', text);
    await client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
    return `acme/${halted.runId}`;
  },
};
