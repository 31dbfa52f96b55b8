import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerDeclined, createInProcessClient } from 'holdpoint';
import { desk } from './agents';
import { rehearsal } from './rehearsal';

// No server: the same loop runs in this process. `holdpoint/testing` has a server for the rest.
const client = createInProcessClient({ model: rehearsal });

void test('a refund waits for an approval of its exact arguments, and is then paid once', async () => {
  const halted = await client.run('Please refund order 1047', desk);
  assert.equal(halted.status, 'pending');
  assert.deepEqual(halted.pending.data?.['input'], { order: '1047', euros: 89.9 });
  const done = await client.runWithAnswer(halted, { id: halted.pending.id, ok: true }, { toolkit: desk });
  assert.equal(done.text, 'Paid 89.9 EUR back for order 1047.');
});

void test('a refund that is declined is not paid, and the model learns why', async () => {
  const halted = await client.run('Please refund order 1052', desk);
  assert.equal(halted.status, 'pending');
  const answer = answerDeclined(halted.pending.id, 'it was worn');
  const done = await client.runWithAnswer(halted, answer, { toolkit: desk });
  assert.match(done.text, /reason: it was worn/);
});
