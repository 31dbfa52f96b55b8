import { okResult } from '../../src/agent/tool';
import type { RunSnapshot } from '../../src/agent/wire';
import { CONVERSATION_PREFIX } from '../../src/agent/wire';
import { defineAgent, defineTool } from '../../src/tools';
import { bareRun } from '../support/bare-run';
import { matching } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { executionsOf } from './carried';
import { newId, openStage, page, type Stage } from './stage';

const look = defineTool({
  name: 'look',
  description: '',
  execute: (_args, { callId, context }) =>
    okResult(`seen ${JSON.stringify(context ?? '').length}`, { callId: callId ?? '', note: page(0, 30_000) }),
});
const agents = [
  defineAgent({ name: 'desk', model: 'scripted', tools: [look] }),
  ...[500_000, 600_000, 1_900_000].map((bytes) =>
    defineAgent({ name: `told-${bytes}`, model: 'scripted', instructions: page(1, bytes), tools: [look] }),
  ),
];

let stage: Stage;
beforeAll(async () => {
  quietRuntime();
  stage = await openStage({ agents });
  await stage.startWorker();
});
afterAll(() => stage.close());

const calls = (...ids: readonly string[]) => ({
  toolCalls: ids.map((id) => ({ id, name: 'look', arguments: {} })),
});

test('R35, R39: ninety kilobytes of metadata with each of fifty asks: the conversation is read and goes on', async () => {
  const id = newId();
  const text = stage.play([calls('a', 'b', 'c'), { content: 'Done.' }]);
  const first = await stage.client.ask('desk', id, text);
  expect(first.toolCalls.map(({ metadata }) => metadata?.['callId'])).toEqual(['a', 'b', 'c']);
  for (let n = 2; n <= 50; n += 1) {
    const result = await stage.client.ask('desk', id, text, { messages: false });
    expect(result).toMatchObject({ status: 'done', text: 'Done.' });
  }
  const { first: began, now } = await executionsOf(stage, `${CONVERSATION_PREFIX}${id}`);
  expect(now).not.toBe(began);
  const state: RunSnapshot = await bareRun(stage.client, `${CONVERSATION_PREFIX}${id}`).state();
  expect(JSON.stringify(state).length).toBeLessThan(500_000);
  const early = await stage.client.get(`${id}/2`);
  expect(early).toMatchObject({ status: 'done', text: 'Done.', toolCallCount: 3 });
  expect(early.toolCalls.map(({ output }) => output)).toEqual(['seen 2', 'seen 2', 'seen 2']);
}, 180_000);

test('R7: the largest context reaches the tool, another worker’s as well; a larger one is refused', async () => {
  const input = stage.play([calls('a'), calls('b'), { content: 'Done.' }]);
  const context = page(2, 262_000 - 5_000);
  const run = await stage.client.run('desk', input, { context });
  expect(run.toolCalls.map(({ output }) => output)).toEqual(Array(2).fill(matching(/^seen 26\d{4}$/)));
  await expect(stage.client.run('desk', input, { context: page(2, 300_000) })).rejects.toMatchObject({
    type: 'Holdpoint.Run.InvalidInput',
    message: matching(/at most 262144 are taken/),
  });
});

test('instructions up to half a mebibyte are kept; longer ones fail the run before the model is asked', async () => {
  const input = stage.play([calls('a'), { content: 'Done.' }]);
  const options = { context: page(3, 250_000) };
  await expect(stage.client.run('told-500000', input, options)).resolves.toMatchObject({ status: 'done' });
  const asked = stage.model.requests.length;
  for (const agent of ['told-600000', 'told-1900000'])
    await expect(stage.client.run(agent, input, options)).resolves.toMatchObject({
      status: 'failed',
      error: {
        type: 'Holdpoint.Run.Failed',
        message: matching(/instructions of agent told-\d+ have \d+ bytes/),
      },
    });
  expect(stage.model.requests).toHaveLength(asked);
});
