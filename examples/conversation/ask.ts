/** Asks, and ends as soon as the reply or the halt is there: `ask.ts <conversation> <text>`. */
import { createClient } from 'holdpoint/client';
import { TASK_QUEUE } from './agent';

async function main([
  conversationId = 'customer-77',
  text = 'Is the tour on Sunday?',
]: string[]): Promise<void> {
  await using client = await createClient({ taskQueue: TASK_QUEUE });
  const turn = await client.ask('tours', conversationId, text);
  if (turn.status === 'pending') console.log(`${turn.runId} waits: ${turn.pending.prompt}`);
  else console.log(`${turn.runId} is ${turn.status}: ${turn.text}`);
}

void main(process.argv.slice(2));
