import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { answerOutput, openaiModel } from 'holdpoint';
import { createClient } from 'holdpoint/client';
import { scriptedModel, startTestServer } from 'holdpoint/testing';
import { createWorker } from 'holdpoint/worker';
import { desk } from './desk';

void test('a run waits for the warehouse, and a worker that never saw it goes on', async () => {
  await using server = await startTestServer();
  // A model server that answers these requests, in this order.
  await using model = await scriptedModel([
    { toolCalls: [{ id: 'c1', name: 'ask_warehouse', arguments: { order: '1047' } }] },
    { content: 'It came back.' },
  ]);
  const { address, namespace } = server;
  const place = { address, namespace, taskQueue: `test-${randomUUID()}` };
  const models = openaiModel({ baseURL: model.baseURL });
  await using client = await createClient(place);

  const first = await createWorker({ agents: [desk], models, ...place });
  const halted = await first.runUntil(() => client.run('desk', 'Did order 1047 come back?'));
  assert(halted.status === 'pending');

  const second = await createWorker({ agents: [desk], models, ...place });
  const done = await second.runUntil(() =>
    client.runWithAnswer(halted.runId, answerOutput(halted.pending.id, 'on Monday')),
  );
  assert.equal(done.text, 'It came back.');
  // What the model was told: the host's result, as the result of its call.
  assert.deepEqual(done.messages.at(-2), { role: 'tool', tool_call_id: 'c1', content: 'on Monday' });
  assert.equal(model.requests.length, 2);
});
