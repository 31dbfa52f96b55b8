/** Starts a run, and answers what its tool asks a person: `ask.ts <agent>`. */
import { createClient } from 'holdpoint/client';
import { TASK_QUEUE } from './agents';

async function main([agent = 'host']: string[]): Promise<void> {
  await using client = await createClient({ taskQueue: TASK_QUEUE });
  const halted = await client.run(agent, 'Greet Ada, and book her a table for 1 March 2027.');
  if (halted.status !== 'pending') throw new Error(halted.error?.message ?? halted.text);
  console.log(halted.pending.prompt);
  // In the inbox this is a form; here a program fills it in.
  const answer = { id: halted.pending.id, ok: true, data: { content: { guests: 4 } }, by: 'ada' };
  const done = await client.runWithAnswer(halted.runId, answer);
  console.log(done.text);
}

void main(process.argv.slice(2));
