import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerDeclined, createInProcessClient, type GenerateReply } from 'holdpoint';
import { desk, paid } from './desk';

/** A function in the model's place: it asks for one refund, and then repeats what became of it. */
function clientOf(euros: number) {
  return createInProcessClient({
    generate: ({ messages }): GenerateReply => {
      const last = messages.at(-1);
      if (last?.role === 'tool') return { content: last.content };
      return { toolCalls: [{ name: 'refund', arguments: { order: '1047', euros } }] };
    },
  });
}

void test('a small refund needs nobody', async () => {
  const done = await clientOf(12).run('Refund order 1047', desk);
  assert.equal(done.status, 'done');
  assert.equal(done.text, 'Paid 12 EUR back for order 1047.');
});

void test('a large refund waits, and a no is not paid', async () => {
  paid.length = 0;
  const client = clientOf(89.9);
  const halted = await client.run('Refund order 1047', desk);
  assert(halted.status === 'pending');
  assert.deepEqual(halted.pending.data?.['input'], { order: '1047', euros: 89.9 });
  assert.deepEqual(paid, []);
  const answer = answerDeclined(halted.pending.id, 'no receipt');
  const done = await client.runWithAnswer(halted, answer, { toolkit: desk });
  assert.match(done.text, /reason: no receipt/);
  assert.deepEqual(paid, []);
});
