import { createInProcessClient } from '../../src/in-process';
import { agentTool, createToolkit, defineAgent, defineTool, pending } from '../../src/tools';
import type { GenerateRequest } from '../../src/in-process';

const ask = defineTool({
  name: 'ask',
  description: 'Asks a person',
  execute: (_, { answer }) =>
    answer ? JSON.stringify(answer.data?.['output']) : pending({ kind: 'question', prompt: 'How many?' }),
});
const clerk = defineAgent({ name: 'clerk', model: 'm', instructions: 'You are the clerk.', tools: [ask] });
const toolkit = createToolkit({ tools: [agentTool(clerk)] });

/** Calls its one tool, and then says what it heard. */
function generate({ messages }: GenerateRequest) {
  const last = messages.at(-1);
  if (last?.role === 'tool') return { content: `heard ${last.content}` };
  const isClerk = messages[0]?.role === 'system';
  return {
    toolCalls: [isClerk ? { name: 'ask', arguments: {} } : { name: 'clerk', arguments: { input: 'Go' } }],
  };
}

test('a sub-agent runs in the same process; its host is the run’s', async () => {
  const client = createInProcessClient({
    generate,
    waitFor: async (request) => ({ id: request.id, ok: true, data: { output: 3 } }),
  });
  const end = await client.run('Start', toolkit);
  expect(end).toMatchObject({
    status: 'done',
    text: 'heard heard 3',
    toolCalls: [{ output: 'heard 3', isError: false }],
  });
});

test('without a host its question is an error that says what it needs', async () => {
  const end = await createInProcessClient({ generate }).run('Start', toolkit);
  expect(end.toolCalls).toMatchObject([{ isError: true }]);
  expect(end.toolCalls[0]?.output).toMatch(/waits for an answer \(How many\?\).*`waitFor`/);
});

test('agents that call each other for ever are stopped', async () => {
  const tools: ReturnType<typeof agentTool>[] = [];
  const loop = { ...defineAgent({ name: 'loop', model: 'm' }), tools };
  tools.push(agentTool(loop));
  let calls = 0;
  const client = createInProcessClient({
    generate: ({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'tool') return { content: last.content };
      calls += 1;
      return { toolCalls: [{ name: 'loop', arguments: { input: 'again' } }] };
    },
  });
  const end = await client.run('Start', createToolkit({ tools }));
  expect(end.text).toMatch(/more than 8 deep/);
  expect(calls).toBe(9);
});
