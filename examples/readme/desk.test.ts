import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createInProcessClient } from 'holdpoint';
import { desk } from './desk';

void test('a refund is paid once somebody has approved it', async () => {
  const turns = [
    { toolCalls: [{ name: 'refund', arguments: { order: '1047', euros: 89.9 } }] },
    { content: 'It is on its way.' },
  ];
  const client = createInProcessClient({ generate: () => turns.shift() ?? {} }); // in a model's place
  const halted = await client.run('Refund order 1047, please: 89.90 EUR.', desk);
  assert(halted.status === 'pending');
  assert.equal(halted.pending.kind, 'approval');
  const answer = { id: halted.pending.id, ok: true, by: 'ann@shop.example' };
  const done = await client.runWithAnswer(halted, answer, { toolkit: desk });
  assert.equal(done.toolCalls[0]?.output, 'Paid 89.9 EUR back for order 1047.');
  assert.equal(done.text, 'It is on its way.');
});
