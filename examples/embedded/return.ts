/** Starts the shop's workflow, signals it, and answers its agent: `return.ts <order>`. */
import { randomBytes } from 'node:crypto';
import { relayAnswer, relayCallsOf } from 'holdpoint';
import { createClient } from 'holdpoint/client';
import { TASK_QUEUE } from './agent';
import type { accountGiven, handleReturn } from './workflows';

async function main([order = '1047']: string[]): Promise<void> {
  await using client = await createClient({ taskQueue: TASK_QUEUE });
  const workflowId = `return-${order}-${randomBytes(3).toString('hex')}`;
  // Temporal's own client starts a workflow of one's own, and knows its types.
  const workflow = await client.temporal.workflow.start<typeof handleReturn>('handleReturn', {
    workflowId,
    taskQueue: TASK_QUEUE,
    args: [order],
  });
  // To the client the workflow is a run: its agent's requests are answered by the workflow's id.
  const { pending } = await client.waitForHalt(workflowId);
  console.log(`The agent waits: ${pending?.prompt}`);
  await workflow.signal<[string]>('accountGiven' satisfies typeof accountGiven.name, 'DE02 1203 0000');
  const results = relayCallsOf(pending).map(({ id }) => ({ id, output: 'It is unworn and complete.' }));
  if (pending) await client.answer(workflowId, relayAnswer(pending.id, results));
  console.log(`The workflow says: ${await workflow.result()}`);
}

void main(process.argv.slice(2));
