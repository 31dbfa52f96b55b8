/** Starts a run as a backend service would: `npm start -- 'Please refund order 1047'`. */
import { createClient } from 'holdpoint/client';

async function main(text = 'Please refund order 1047'): Promise<void> {
  await using client = await createClient();
  const run = await client.run('desk', text);
  if (run.status !== 'pending') return console.log(run.error?.message ?? run.text);
  console.log(`Run ${run.runId} waits: ${run.pending.prompt}`);
  console.log(`Answer it: npx holdpoint answer ${run.runId}`);
}

void main(process.argv[2]);
