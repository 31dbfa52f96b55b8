import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openaiModel } from 'holdpoint';
import { createClient } from 'holdpoint/client';
import { scriptedModel, startTimeSkippingServer } from 'holdpoint/testing';
import { createWorker } from 'holdpoint/worker';
import { desk } from './desk';

void test('after thirty days without a word from the warehouse the agent is told so', async () => {
  const server = await startTimeSkippingServer();
  await using model = await scriptedModel([
    { toolCalls: [{ id: 'c1', name: 'ask_warehouse', arguments: { order: '1047' } }] },
    { content: 'The warehouse does not answer.' },
  ]);
  // This server has no lists, so neither worker nor client may count on them.
  const place = { address: server.address, taskQueue: 'test', searchAttributes: 'none' } as const;
  const models = openaiModel({ baseURL: model.baseURL });
  const client = await createClient(place);
  try {
    const worker = await createWorker({ agents: [desk], models, ...place });
    await worker.runUntil(async () => {
      const halted = await client.run('desk', 'Did order 1047 come back?');
      assert(halted.status === 'pending');
      await server.sleep('31 days'); // seconds
      const done = await client.result(halted.runId);
      assert.equal(done.text, 'The warehouse does not answer.');
      assert.match(done.toolCalls[0]?.output ?? '', /^declined\/expired: /);
      assert.equal(done.receipts?.[0]?.via, 'expiry');
    });
  } finally {
    await client.disconnect();
    await server.teardown();
  }
});
