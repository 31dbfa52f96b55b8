import { answerOutput } from '../../src/agent/relay';
import type { Message } from '../../src/agent/message';
import type { MessageTurn } from '../../src/testing';
import { defineAgent, defineTool } from '../../src/tools';
import { calls, newId, openDesk, pendingId, relayed, type Desk } from '../client/desk';
import { bareRun } from '../support/bare-run';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';

const look = defineTool({ name: 'look', description: 'Looks', execute: () => 'seen' });

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools: [relayed, look] })]);
});
afterAll(() => desk.close());

const shape = (messages: readonly Message[]) =>
  messages.map(({ role, content }) => (typeof content === 'string' ? `${role}: ${content}` : role)).slice(1);

/** A run whose model has been asked and does not answer yet. */
async function thinking(first: MessageTurn, last: MessageTurn) {
  let goOn = (): void => undefined;
  const hold = new Promise<void>((resolve) => (goOn = resolve));
  const before = desk.model.requests.length;
  const { runId } = await desk.client.start('desk', desk.play([{ ...first, hold }, last]));
  await desk.model.waitForRequest(before + 1);
  return { runId, goOn };
}

test('R41: messages follow the results of the current turn, in order', async () => {
  const looks = { content: 'Looking.', toolCalls: [{ id: 'c', name: 'look', arguments: {} }] };
  const { runId, goOn } = await thinking(looks, { content: 'Done.' });
  await desk.client.addMessage(runId, 'One thing');
  await desk.client.addMessage(runId, { role: 'user', content: 'And another' });
  goOn();
  const { messages } = await desk.client.result(runId);
  expect(shape(messages)).toEqual([
    'assistant: Looking.',
    'tool: seen',
    'user: One thing',
    'user: And another',
    'assistant: Done.',
  ]);
});

test('R41: one that waits when a turn has no calls starts another turn', async () => {
  const { runId, goOn } = await thinking({ content: 'Done?' }, { content: 'Done.' });
  await desk.client.addMessage(runId, 'One thing');
  goOn();
  const done = await desk.client.result(runId);
  expect(done).toMatchObject({ status: 'done', text: 'Done.', turns: 2 });
  expect(shape(done.messages)).toEqual(['assistant: Done?', 'user: One thing', 'assistant: Done.']);
});

test('R27, R41: while halted it waits until every call has its result', async () => {
  const halted = await desk.client.run('desk', desk.play([calls('a', 'b'), { content: 'Done.' }]));
  await desk.client.addMessage(halted.runId, 'Hurry');
  await expect(desk.client.get(halted.runId)).resolves.toEqual(halted);
  const answer = (id: string) => ({
    id: pendingId(halted),
    ok: true,
    data: { results: [{ id, output: id }] },
  });
  await desk.client.answer(halted.runId, answer('b'));
  const done = await desk.client.runWithAnswer(halted.runId, answer('a'));
  expect(shape(done.messages)).toEqual([
    'assistant',
    'tool: a',
    'tool: b',
    'user: Hurry',
    'assistant: Done.',
  ]);
});

test('R41: a message for a halted ask of a conversation is delivered in that ask', async () => {
  const conversationId = newId();
  const halted = await desk.client.ask('desk', conversationId, desk.play([calls('a'), { content: 'Done.' }]));
  await desk.client.addMessage(halted.runId, 'Hurry');
  const done = await desk.client.askWithAnswer(conversationId, answerOutput(pendingId(halted), '1'));
  expect(shape(done.messages)).toEqual(['assistant', 'tool: 1', 'user: Hurry', 'assistant: Done.']);
});

test('R41: what waits when its ask is cancelled is not lost: the next ask sees it', async () => {
  const conversationId = newId();
  const turns = [calls('a'), { content: 'At once.' }];
  const halted = await desk.client.ask('desk', conversationId, desk.play(turns));
  await desk.client.addMessage(halted.runId, 'Hurry');
  await desk.client.cancel(halted.runId);
  const cancelled = await desk.client.result(halted.runId);
  expect(shape(cancelled.messages)).toEqual(['assistant', expect.stringMatching(/^tool: /), 'user: Hurry']);
  const next = await desk.client.ask('desk', conversationId, 'Well?');
  expect(shape(next.messages).slice(2)).toEqual(['user: Hurry', 'user: Well?', 'assistant: At once.']);
});

test('R30: a signal that is no message changes nothing and is listed as a rejection', async () => {
  const halted = await desk.client.run('desk', desk.play([calls('a')]));
  const handle = desk.client.temporal.workflow.getHandle(halted.runId);
  for (const raw of [null, 7, { role: 'assistant', content: 'Me' }, { role: 'user' }])
    await handle.signal('addMessage', raw);
  const { rejections, ...now } = await desk.client.get(halted.runId);
  expect(now).toEqual(halted);
  expect(rejections).toHaveLength(4);
});

test('R41: at most 100 messages wait; the next is listed as a rejection', async () => {
  const halted = await desk.client.run('desk', desk.play([calls('a')]));
  for (let n = 0; n < 101; n += 1) await desk.client.addMessage(halted.runId, `n${n}`);
  expect((await bareRun(desk.client, halted.runId).state()).rejections).toHaveLength(1);
});

test('R41: a run that has ended takes no message, and says so', async () => {
  const done = await desk.client.run('desk', desk.play([{ content: 'Hello.' }]));
  await expect(desk.client.addMessage(done.runId, 'Too late')).rejects.toEqual(
    holdpointError('Holdpoint.Run.Closed'),
  );
});
