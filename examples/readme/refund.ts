import { defineAgent, defineTool } from 'holdpoint';
import { createClient } from 'holdpoint/client';
import { createWorker } from 'holdpoint/worker';
import { z } from 'zod';

const refund = defineTool({
  name: 'refund',
  description: 'Pays an order back',
  inputSchema: z.object({ order: z.string(), euros: z.number() }),
  needsApproval: true, // a person decides about exactly these arguments
  execute: ({ order, euros }) => `Paid ${euros} EUR back for order ${order}.`,
});
const desk = defineAgent({ name: 'desk', model: 'gpt-5-mini', tools: [refund] });

async function main(): Promise<void> {
  const worker = await createWorker({ agents: [desk], taskQueue: 'refunds' });
  const client = await createClient({ taskQueue: 'refunds' });
  await worker.runUntil(async () => {
    const halted = await client.run('desk', 'Refund order 1047, please: 89.90 EUR.');
    if (halted.status !== 'pending') return console.log(halted.error?.message ?? halted.text);
    console.log(halted.pending.prompt); // now, or in three weeks, in this process or another:
    const answer = { id: halted.pending.id, ok: true, by: 'ann@shop.example' };
    const done = await client.runWithAnswer(halted.runId, answer);
    console.log(done.text);
  });
  await client.disconnect();
}

void main();
