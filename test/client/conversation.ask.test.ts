import { answerDeclined, answerOutput } from '../../src/agent/relay';
import { holdpointError, matching, objectWith } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { calls, newGate, newId, openDesk, pendingId, type Desk } from './desk';

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk();
});
afterAll(() => desk?.close());

test('R39: each ask is a run of its own on the conversation’s messages', async () => {
  const { client } = desk;
  const id = newId();
  const text = desk.play([{ content: 'One.' }, calls('a'), { content: 'Two.' }]);
  const first = await client.ask('desk', id, text, { context: { n: 1 } });
  expect(first).toMatchObject({ runId: `${id}/1`, status: 'done', text: 'One.', turns: 1 });
  const second = await client.ask('desk', id, { role: 'user', content: 'And?' });
  expect(second).toMatchObject({ runId: `${id}/2`, status: 'pending', turns: 1, toolCallCount: 1 });
  expect(second.messages.slice(0, 3)).toEqual([...first.messages, { role: 'user', content: 'And?' }]);
  const done = await client.askWithAnswer(id, answerOutput(pendingId(second), '1'));
  expect(done).toMatchObject({ runId: `${id}/2`, status: 'done', text: 'Two.', turns: 2 });
  expect(done.toolCalls).toEqual([
    { id: 'a', name: 'stock', args: { sku: 'a' }, output: '1', isError: false },
  ]);
  expect(done.usage).toMatchObject({ totalTokens: 4 });
  // The first ask still reads as it ended.
  await expect(client.get(`${id}/1`)).resolves.toEqual(first);
  await expect(client.result(`${id}/2`)).resolves.toEqual(done);
});

test('R39: a result has its own ask’s receipts, and a late repeat gives the ask that it was for', async () => {
  const { client } = desk;
  const id = newId();
  const text = desk.play([calls('a'), { content: 'One.' }, calls('b'), { content: 'Two.' }]);
  const first = await client.ask('desk', id, text);
  const answer = answerOutput(pendingId(first), '1');
  const one = await client.askWithAnswer(id, answer);
  const second = await client.ask('desk', id, 'And?');
  const two = await client.askWithAnswer(id, answerDeclined(pendingId(second), 'no'));
  expect(one.receipts).toEqual([objectWith({ requestId: answer.id })]);
  expect(two.receipts).toEqual([objectWith({ requestId: pendingId(second), ok: false })]);
  await expect(client.askWithAnswer(id, answer)).resolves.toEqual(one);
  await expect(client.answer(`${id}/1`, answer)).resolves.toEqual(one.receipts?.[0]);
  await expect(client.askWithAnswer(id, answerOutput(answer.id, 'other'))).rejects.toEqual(
    holdpointError('Holdpoint.Answer.AlreadyAnswered'),
  );
});

test('R40: an ask on a conversation that waits is refused, or queued, or declines what is open', async () => {
  const { client } = desk;
  const id = newId();
  const text = desk.play([
    calls('a'),
    { content: 'One.' },
    calls('b'),
    { content: 'Two.' },
    { content: 'Three.' },
  ]);
  const halted = await client.ask('desk', id, text);
  const pending = holdpointError('Holdpoint.Conversation.Pending', /relay tool call stock/, {
    requestId: pendingId(halted),
  });
  await expect(client.ask('desk', id, 'Now?')).rejects.toEqual(pending);
  const queued = client.ask('desk', id, 'Then?', { whilePending: 'queue' });
  await until(
    'the ask is queued',
    async () => (await client.get(`${id}/2`).catch(() => undefined)) !== undefined,
  );
  await expect(client.get(`${id}/2`)).resolves.toMatchObject({ status: 'running', turns: 0, toolCalls: [] });
  await client.answer(`${id}/1`, answerOutput(pendingId(halted), '1'));
  await expect(queued).resolves.toMatchObject({ runId: `${id}/2`, status: 'pending' });
  const third = await client.ask('desk', id, 'So?', { whilePending: 'decline' });
  expect(third).toMatchObject({ runId: `${id}/3`, status: 'done', text: 'Three.' });
  await expect(client.get(`${id}/2`)).resolves.toMatchObject({
    status: 'done',
    toolCalls: [{ output: matching(/^declined\/expired/), isError: true }],
  });
});

test('R40: abandon declines what the ask waits on, with the reason, and ends it', async () => {
  const { client } = desk;
  const id = newId();
  const text = desk.play([calls('a'), { content: 'Two.' }]);
  const halted = await client.ask('desk', id, text);
  await client.abandon(id, 'over budget');
  const ended = await client.result(halted.runId);
  expect(ended).toMatchObject({
    status: 'cancelled',
    toolCalls: [{ isError: true, output: matching(/over budget/) }],
  });
  await expect(client.ask('desk', id, 'And?')).resolves.toMatchObject({ runId: `${id}/2`, text: 'Two.' });
});

test('R40: cancel ends one ask, the current or a queued one; the next goes on', async () => {
  const { client } = desk;
  const id = newId();
  const text = desk.play([calls('a'), { content: 'Three.' }]);
  const halted = await client.ask('desk', id, text);
  const second = client.ask('desk', id, 'Two?', { whilePending: 'queue' });
  await until(
    'the second is queued',
    async () => (await client.get(`${id}/2`).catch(() => undefined)) !== undefined,
  );
  const third = client.ask('desk', id, 'Three?', { whilePending: 'queue' });
  await until(
    'the third is queued',
    async () => (await client.get(`${id}/3`).catch(() => undefined)) !== undefined,
  );
  await client.cancel(`${id}/2`);
  await expect(second).resolves.toMatchObject({ status: 'cancelled', turns: 0 });
  await client.cancel(halted.runId);
  await expect(client.result(halted.runId)).resolves.toMatchObject({ status: 'cancelled' });
  await expect(third).resolves.toMatchObject({ status: 'done', text: 'Three.' });
  await expect(client.cancel(halted.runId)).rejects.toEqual(holdpointError('Holdpoint.Run.Closed'));
  await expect(client.cancel(`${id}/9`)).rejects.toEqual(holdpointError('Holdpoint.Run.NotFound'));
});

test('an ask that ends while others are queued is seen to end, whatever becomes of those', async () => {
  const { client } = desk;
  const id = newId();
  const gate = newGate();
  const text = desk.play([calls('a'), { content: 'One.' }, { ...calls('b'), hold: gate.open }]);
  const halted = await client.ask('desk', id, text);
  const second = client.ask('desk', id, 'Two?', { whilePending: 'queue' });
  await until(
    'the second is queued',
    async () => (await client.get(`${id}/2`).catch(() => undefined)) !== undefined,
  );
  const end = client.result(halted.runId);
  await client.answer(halted.runId, answerOutput(pendingId(halted), '1'));
  await expect(end).resolves.toMatchObject({ status: 'done', text: 'One.' });
  gate.unlock();
  await expect(second).resolves.toMatchObject({ status: 'pending' });
});

test('R40: a closed conversation refuses asks for ever, still tells what was said, and closes twice in peace', async () => {
  const { client } = desk;
  const id = newId();
  const text = desk.play([{ content: 'One.' }, calls('a')]);
  const first = await client.ask('desk', id, text);
  const halted = await client.ask('desk', id, 'Two?');
  await client.close(id);
  await client.close(id);
  const closed = holdpointError('Holdpoint.Conversation.Closed', /./, { conversationId: id });
  await expect(client.ask('desk', id, 'Three?')).rejects.toEqual(closed);
  await expect(client.abandon(id)).rejects.toEqual(closed);
  await expect(client.get(first.runId)).resolves.toEqual(first);
  await expect(client.result(halted.runId)).resolves.toMatchObject({ status: 'cancelled' });
  await expect(client.askWithAnswer(id, answerOutput(pendingId(halted), '1'))).rejects.toEqual(
    holdpointError('Holdpoint.Answer.RunClosed'),
  );
});

test('a conversation that is not there is Holdpoint.Conversation.NotFound, an ask that is not there Run.NotFound', async () => {
  const { client } = desk;
  const id = newId();
  const missing = holdpointError('Holdpoint.Conversation.NotFound', /./, { conversationId: id });
  await expect(client.askWithAnswer(id, { id: 'r', ok: true })).rejects.toEqual(missing);
  await expect(client.abandon(id)).rejects.toEqual(missing);
  await expect(client.close(id)).rejects.toEqual(missing);
  await expect(client.get(`${id}/1`)).rejects.toEqual(holdpointError('Holdpoint.Run.NotFound'));
  await client.ask('desk', id, desk.play([{ content: 'One.' }]));
  await expect(client.waitForHalt(`${id}/2`)).rejects.toEqual(holdpointError('Holdpoint.Run.NotFound'));
});

test('R39: asks at the same time are taken one after the other', async () => {
  const { client } = desk;
  const id = newId();
  const gate = newGate();
  const first = client.ask(
    'desk',
    id,
    desk.play([{ content: 'One.', hold: gate.open }, { content: 'Two.' }, { content: 'Three.' }]),
  );
  await until('it has begun', async () => (await client.get(`${id}/1`).catch(() => undefined)) !== undefined);
  const others = [client.ask('desk', id, 'Two?'), client.ask('desk', id, 'Three?')];
  gate.unlock();
  const results = await Promise.all([first, ...others]);
  expect(results.map((result) => result.text).sort()).toEqual(['One.', 'Three.', 'Two.']);
  expect(results.map((result) => result.runId).sort()).toEqual([`${id}/1`, `${id}/2`, `${id}/3`]);
});
