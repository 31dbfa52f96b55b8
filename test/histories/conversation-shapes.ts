/** Conversations, and what continues as new. */
import { answerOutput } from '../../src/agent/relay';
import { calls, newId, pendingId, type Desk } from '../client/desk';
import { bareRun } from '../support/bare-run';
import { until } from '../support/until';
import type { Shape } from './shapes';

const done = { content: 'Done.' };
const look = { toolCalls: [{ id: 'look', name: 'look', arguments: '{}' }] };

const workflowIdOf = (conversationId: string): string => `conversation/${conversationId}`;

/** Sends an ask without waiting for it. */
async function queue(
  desk: Desk,
  conversationId: string,
  input: string,
  whilePending = 'queue',
): Promise<void> {
  const handle = desk.client.temporal.workflow.getHandle(workflowIdOf(conversationId));
  await handle.executeUpdate('ask', { args: [{ input, whilePending }] });
}

export const CONVERSATION_SHAPES: Readonly<Record<string, Shape>> = {
  'conversation-parked': async (desk) => {
    const id = newId();
    await desk.client.ask('desk', id, desk.play([done, calls('a')]));
    await desk.client.ask('desk', id, 'And now?');
    await queue(desk, id, 'And then?');
    return workflowIdOf(id);
  },
  'conversation-idle': async (desk) => {
    const id = newId();
    await desk.client.ask('desk', id, desk.play([look, done, done]), { context: { user: 7 } });
    await desk.client.ask('desk', id, 'And now?', { context: { user: 8 } });
    return workflowIdOf(id);
  },
  'conversation-closed': async (desk) => {
    const id = newId();
    const halted = await desk.client.ask(
      'desk',
      id,
      desk.play([calls('a'), done, calls('b'), done, calls('c'), done]),
    );
    await desk.client.askWithAnswer(id, answerOutput(pendingId(halted), '1'));
    await desk.client.ask('desk', id, 'Two');
    await desk.client.ask('desk', id, 'Three', { whilePending: 'decline' });
    await desk.client.abandon(id, 'no time');
    await desk.client.result(`${id}/3`);
    await desk.client.ask('desk', id, 'Four');
    await desk.client.close(id);
    return workflowIdOf(id);
  },
  'conversation-ask-cancelled': async (desk) => {
    const id = newId();
    await desk.client.ask('desk', id, desk.play([calls('a'), done]));
    await queue(desk, id, 'Two');
    await queue(desk, id, 'Three');
    await desk.client.cancel(`${id}/2`);
    await desk.client.cancel(`${id}/1`);
    await desk.client.result(`${id}/3`);
    return workflowIdOf(id);
  },
  'conversation-cancelled': async (desk) => {
    const id = newId();
    await desk.client.ask('desk', id, desk.play([calls('a')]));
    const handle = desk.client.temporal.workflow.getHandle(workflowIdOf(id));
    await handle.cancel();
    await handle.result().catch(() => undefined);
    return workflowIdOf(id);
  },
  'conversation-idle-closed': async (desk) => {
    const id = newId();
    await desk.client.ask('desk', id, desk.play([done]), { idleTtlMs: 1_000 });
    await desk.client.temporal.workflow.getHandle(workflowIdOf(id)).result();
    return workflowIdOf(id);
  },
};

/** More than the server of these lets an execution grow. */
const MANY = 12;

/** Has what is halted continue as new, and its next execution do its first task, in which there is nothing to do. */
async function moveOn({ client }: Desk, workflowId: string): Promise<void> {
  const handle = client.temporal.workflow.getHandle(workflowId);
  const bare = bareRun(client, workflowId);
  const execution = async (): Promise<string> => (await handle.describe()).runId;
  const before = await execution();
  for (let n = 0; (await execution()) === before; n += 1) {
    await bare.signal({ id: 'nothing', ok: true, answerId: `noise-${n}` });
    await bare.state();
  }
  const next = client.temporal.workflow.getHandle(workflowId, await execution());
  const types = async () => ((await next.fetchHistory()).events ?? []).map(({ eventType }) => eventType);
  await until('its first task is done', async () => (await types()).length > 3);
  if ((await types()).length > 4) throw new Error(`The first task of ${workflowId} was not empty`);
}

/**
 * Answers by signal while a task for an update waits for the worker, so that no event is between that task and the one
 * before it: a replay takes the two together.
 */
async function answerAfterEmptyTask(desk: Desk, workflowId: string, id: string): Promise<void> {
  await moveOn(desk, workflowId);
  await desk.stopWorker();
  const { workflow } = desk.client.temporal;
  const bare = bareRun(desk.client, workflowId);
  const refused = bare.update(answerOutput(id, '2')).catch(() => undefined);
  await until('a task waits', async () => {
    const { raw } = await workflow.getHandle(workflowId).describe();
    return raw.pendingWorkflowTask != null;
  });
  await bare.signal(answerOutput(id, '1'));
  await desk.startWorker();
  await refused;
}

/** On a server that suggests to continue as new all the time: each execution of the chain is a history. */
export const CARRIED_SHAPES: Readonly<Record<string, Shape>> = {
  'carried-run': async (desk) => {
    const turns = [...Array.from({ length: MANY }, () => look), done];
    return (await desk.client.run('desk', desk.play(turns), { limits: { maxTurns: 2 * MANY } })).runId;
  },
  'carried-parked': async (desk) => {
    const { runId } = await desk.client.run('desk', desk.play([calls('a', 'b')]));
    const bare = bareRun(desk.client, runId);
    for (let n = 0; n < MANY; n += 1) {
      await bare.signal({ id: 'nothing', ok: true, answerId: `noise-${n}` });
      await bare.state();
    }
    return runId;
  },
  'carried-answered': async (desk) => {
    const { runId, pending } = await desk.client.run('desk', desk.play([calls('a'), done]));
    await answerAfterEmptyTask(desk, runId, pending?.id ?? '');
    await desk.client.result(runId);
    return runId;
  },
  'carried-ask-answered': async (desk) => {
    const id = newId();
    await desk.client.ask('desk', id, desk.play([done, calls('a'), done]));
    const { pending } = await desk.client.ask('desk', id, 'And now?');
    await answerAfterEmptyTask(desk, workflowIdOf(id), pending?.id ?? '');
    await desk.client.result(`${id}/2`);
    return workflowIdOf(id);
  },
  'carried-conversation': async (desk) => {
    const id = newId();
    const turns = Array.from({ length: MANY / 2 }, () => [look, done]).flat();
    await desk.client.ask('desk', id, desk.play([...turns, calls('a')]));
    for (let n = 1; n < MANY / 2; n += 1) await desk.client.ask('desk', id, `And ${n}?`);
    await desk.client.ask('desk', id, 'At last');
    return workflowIdOf(id);
  },
};
