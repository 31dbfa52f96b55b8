import { answerOutput } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { CONVERSATION_PREFIX, type AskReceipt } from '../../src/agent/wire';
import type { ScriptedTurn } from '../../src/testing';
import { defineAgent, relayTool } from '../../src/tools';
import { holdpointError, objectWith } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { waitUntil } from '../support/wait-until';
import { executionsOf, openRestlessStage, sendUntilCarried } from './carried';
import { newId, type Stage } from './stage';

const desk = defineAgent({
  name: 'desk',
  model: 'scripted',
  tools: [relayTool({ name: 'stock', description: '' })],
});

let stage: Stage;
let close: () => Promise<void>;
let id: string;
beforeAll(async () => {
  quietRuntime();
  ({ stage, close } = await openRestlessStage({ agents: [desk] }));
});
beforeEach(() => {
  id = newId();
});
afterAll(() => close());

const stock: ScriptedTurn = { toolCalls: [{ id: 'a', name: 'stock', arguments: {} }] };
const workflowId = (): string => `${CONVERSATION_PREFIX}${id}`;

/** An ask whose model says `text` at once. */
function say(text: string, whilePending?: 'queue'): Promise<RunResult> {
  const input = stage.play([{ content: text }]);
  return stage.client.ask('desk', id, input, whilePending && { whilePending });
}

/** An ask that waits for an answer. */
function halt(): Promise<RunResult> {
  return stage.client.ask('desk', id, stage.play([stock, { content: 'Halted once.' }]));
}

function answerTo({ pending, status }: RunResult) {
  if (!pending) throw new Error(`Expected a halt, got ${status}`);
  return answerOutput(pending.id, '1');
}

test('R39: many asks; run ids go on, all messages stay, earlier asks still read as they ended', async () => {
  const results: RunResult[] = [];
  for (let n = 1; n <= 14; n += 1) results.push(await say(`Reply ${n}`));
  expect(results.map(({ runId, status, text }) => [runId, status, text])).toEqual(
    results.map((_, at) => [`${id}/${at + 1}`, 'done', `Reply ${at + 1}`]),
  );
  expect(results.at(-1)?.messages).toHaveLength(28);
  const { first, now } = await executionsOf(stage, workflowId());
  expect(now).not.toBe(first);
  for (const result of results) await expect(stage.client.get(result.runId)).resolves.toEqual(result);
});

test('R29, R39: an earlier ask keeps its receipts: a late repeat gives the ask that it was for', async () => {
  const { client } = stage;
  const halted = await halt();
  const one = await client.askWithAnswer(id, answerTo(halted));
  const second = await halt();
  await sendUntilCarried(stage, workflowId());
  await expect(client.askWithAnswer(id, answerTo(halted))).resolves.toEqual(one);
  await expect(client.askWithAnswer(id, answerOutput(halted.pending?.id ?? '', '2'))).rejects.toEqual(
    holdpointError('Holdpoint.Answer.AlreadyAnswered'),
  );
  const { first } = await executionsOf(stage, workflowId());
  expect(second.pending?.id).toBe(`req_${first}.2_1_0`);
  const two = await client.askWithAnswer(id, answerTo(second));
  expect(two).toMatchObject({
    runId: `${id}/2`,
    status: 'done',
    receipts: [{ requestId: second.pending?.id }],
  });
});

test('R39: queued asks survive, in their order', async () => {
  const halted = await halt();
  const queued = [1, 2, 3].map((n) => say(`Queued ${n}`, 'queue'));
  await waitUntil(queueLength, (length) => length === 3);
  await sendUntilCarried(stage, workflowId());
  await stage.client.askWithAnswer(id, answerTo(halted));
  const results = await Promise.all(queued);
  const inOrder = [...results].sort((a, b) => a.runId.localeCompare(b.runId));
  expect(inOrder.map(({ runId, status }) => [runId, status])).toEqual(
    [2, 3, 4].map((n) => [`${id}/${n}`, 'done']),
  );
  expect(inOrder.at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(4);
});

async function queueLength(): Promise<number> {
  const { conversation } = await stage.client.temporal.workflow
    .getHandle(workflowId())
    .query<{ conversation: { queued: unknown[] } }>('state');
  return conversation.queued.length;
}

test('R39: an ask that is sent again after its reply was lost is not asked twice', async () => {
  const halted = await halt();
  const handle = stage.client.temporal.workflow.getHandle(workflowId());
  const message = { input: stage.play([{ content: 'Once.' }]), whilePending: 'queue' };
  const ask = () => handle.executeUpdate<AskReceipt, [object]>('ask', { args: [message], updateId: 'ask-1' });
  const receipt = await ask();
  await sendUntilCarried(stage, workflowId());
  await expect(ask()).resolves.toEqual(receipt);
  await stage.client.askWithAnswer(id, answerTo(halted));
  await expect(stage.client.result(receipt.runId)).resolves.toMatchObject({ text: 'Once.' });
  await expect(say('Next.')).resolves.toMatchObject({ runId: `${id}/3`, text: 'Next.' });
});

test('R40: cancel ends the ask at hand, and abandon and close work, after it continued as new', async () => {
  const { client } = stage;
  const first = await halt();
  await sendUntilCarried(stage, workflowId());
  await client.cancel(first.runId);
  await expect(client.result(first.runId)).resolves.toMatchObject({ status: 'cancelled' });
  const second = await halt();
  await sendUntilCarried(stage, workflowId());
  await client.abandon(id, 'no time');
  const abandoned = await client.result(second.runId);
  expect(abandoned).toMatchObject({ status: 'cancelled' });
  expect(abandoned.receipts).toEqual([objectWith({ ok: false, via: 'cancel' })]);
  const third = await halt();
  await sendUntilCarried(stage, workflowId());
  await client.close(id);
  await expect(client.result(third.runId)).resolves.toMatchObject({ status: 'cancelled' });
  await expect(say('Anybody?')).rejects.toEqual(holdpointError('Holdpoint.Conversation.Closed'));
});

test('R39: asks from everywhere, all the time: each is asked exactly once', async () => {
  const { client } = stage;
  await say('Opened.');
  const texts = Array.from({ length: 24 }, (_, n) => stage.play([{ content: `Reply ${n}` }]));
  const askers = [0, 1, 2].map(async (asker) => {
    const results: RunResult[] = [];
    for (const text of texts.slice(asker * 8, asker * 8 + 8))
      results.push(await client.ask('desk', id, text, { whilePending: 'queue', messages: false }));
    return results;
  });
  const results = (await Promise.all(askers)).flat();
  expect(results.map(({ text }) => text)).toEqual(texts.map((_, n) => `Reply ${n}`));
  expect(new Set(results.map(({ runId }) => runId)).size).toBe(texts.length);
  const last = await say('Closing.');
  expect(last.runId).toBe(`${id}/26`);
  const asked = last.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  expect(asked.slice(1, -1).sort()).toEqual([...texts].sort());
});
