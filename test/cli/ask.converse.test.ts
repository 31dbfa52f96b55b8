import { newId, type Desk } from '../client/desk';
import { containing, matching } from '../support/matchers';
import { documentOf, holdpoint, type CommandRun } from './command';
import { openShop, turn } from './shop';

let shop: Desk;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const ask = (conversation: string, text: string, ...options: readonly string[]): Promise<CommandRun> =>
  holdpoint(['ask', 'shop', conversation, text, '--task-queue', shop.taskQueue, ...options]);

test('asks are runs of one conversation; one that waits refuses the next with 5, and says how to ask all the same', async () => {
  const conversation = newId();
  // The script goes by the conversation's first message, a reply for each assistant message.
  const text = shop.play([{ content: 'Hello.' }, turn(['stock', 'a']), { content: 'Never mind then.' }]);
  const first = await ask(conversation, text);
  expect(first).toEqual({ code: 0, stdout: 'Hello.\n', stderr: `Run ${conversation}/1\n` });
  const second = await ask(conversation, 'How many?', '--json');
  expect(second.code).toBe(3);
  expect(documentOf(second)).toMatchObject({ runId: `${conversation}/2`, pending: { kind: 'tool_call' } });

  const refused = await ask(conversation, 'Hello?', '--json');
  expect(refused.code).toBe(5);
  expect(documentOf(refused)).toMatchObject({
    error: {
      type: 'Holdpoint.Conversation.Pending',
      message: matching(/relay tool call stock.* ask with --while-pending queue or decline/),
    },
  });
  const cancelled = await holdpoint(['cancel', `${conversation}/2`, '--json']);
  expect([cancelled.code, documentOf(cancelled)]).toEqual([
    0,
    { runId: `${conversation}/2`, cancelled: true },
  ]);
  const next = await ask(conversation, 'Anything else?');
  expect(next).toMatchObject({ code: 0, stdout: 'Never mind then.\n' });
  const shown = await holdpoint(['show', `${conversation}/2`]);
  expect(shown.stdout).toMatch(
    /How many\?\n[^]*stock call a[^]*was cancelled after 1 model call, 1 tool call\.\n/,
  );
});

test('a conversation’s own id stands for its current or last ask: show, answer and cancel take it and say so', async () => {
  const conversation = newId();
  const text = shop.play([turn(['stock', 'a']), { content: 'Twelve.' }, turn(['stock', 'b'])]);
  expect((await ask(conversation, text)).code).toBe(3);
  const note = (n: number) => `${conversation} is a conversation; its last ask is ${conversation}/${n}.\n`;
  const answered = await holdpoint(['answer', conversation, '--output', '12', '--wait']);
  expect(answered).toMatchObject({ code: 0, stdout: 'Twelve.\n', stderr: containing(note(1)) });
  const shown = await holdpoint(['show', conversation, '--json']);
  expect(documentOf(shown)).toMatchObject({ runId: `${conversation}/1`, status: 'done' });
  const followed = await holdpoint(['show', conversation, '--follow']);
  expect(followed).toMatchObject({ code: 0, stderr: note(1), stdout: matching(/run +done\n$/) });

  expect((await ask(conversation, 'More?')).code).toBe(3);
  const cancelled = await holdpoint(['cancel', conversation]);
  expect(cancelled).toMatchObject({
    code: 0,
    stdout: `Run ${conversation}/2 is being cancelled.\n`,
    stderr: note(2),
  });
});

test('--while-pending decline says no to what is open and goes on; what it may not be is wrong usage', async () => {
  const conversation = newId();
  const text = shop.play([turn(['stock', 'a']), { content: 'Declined.' }, { content: 'Yes?' }]);
  expect((await ask(conversation, text)).code).toBe(3);
  const declined = await ask(conversation, 'Leave it.', '--while-pending', 'decline');
  expect(declined).toMatchObject({ code: 0, stdout: 'Yes?\n' });
  const wrong = await ask(conversation, 'Leave it.', '--while-pending', 'never');
  expect(wrong).toMatchObject({ code: 2, stderr: containing('Allowed choices are refuse, queue, decline') });
});

test('cancel of a run that has ended, or never was, exits 5', async () => {
  const done = await shop.client.run('shop', shop.play([{ content: 'Done.' }]));
  const ended = await holdpoint(['cancel', done.runId]);
  expect(ended).toMatchObject({ code: 5, stdout: '', stderr: containing('`holdpoint show`') });
  const unknown = await holdpoint(['cancel', newId(), '--json']);
  expect(documentOf(unknown)).toMatchObject({ error: { type: 'Holdpoint.Run.NotFound' } });
});
