/** Answers what an ask waits on, hours later and knowing nothing but its id: `answer.ts <run> <text>`. */
import { relayAnswer, relayCallsOf } from 'holdpoint';
import { createClient } from 'holdpoint/client';
import { TASK_QUEUE } from './agent';

async function main([runId = 'customer-77/1', text = 'Yes, at nine.']: string[]): Promise<void> {
  await using client = await createClient({ taskQueue: TASK_QUEUE });
  const { pending, status } = await client.get(runId, { messages: false });
  if (!pending) throw new Error(`${runId} waits for nothing: it is ${status}.`);
  const results = relayCallsOf(pending).map(({ id, name, input }) => {
    console.log(`${name} ${JSON.stringify(input)}: ${text}`);
    return { id, output: text };
  });
  const [conversationId = ''] = runId.split('/');
  const turn = await client.askWithAnswer(conversationId, relayAnswer(pending.id, results));
  console.log(`${turn.runId} is ${turn.status}: ${turn.text}`);
}

void main(process.argv.slice(2));
