import { createInProcessClient, defineTool } from '../../src';

test('R44: `onProgress` is told what tools report, and the stream is not', async () => {
  const told: unknown[] = [];
  const types: string[] = [];
  const work = defineTool({
    name: 'work',
    description: '',
    execute: (_, { reportProgress }) => {
      reportProgress(1, 2, 'half');
      reportProgress(Number.NaN);
      return 'done';
    },
  });
  const client = createInProcessClient({
    generate: ({ messages }) =>
      messages.length > 1 ? { content: 'Done.' } : { toolCalls: [{ id: 'c', name: 'work', arguments: {} }] },
    onEvent: ({ type }) => types.push(type),
    onProgress: (event) => {
      told.push(event);
      throw new Error('a listener that throws');
    },
  });
  const { runId, status } = await client.run('go', [work]);
  expect(status).toBe('done');
  const report = { progress: 1, total: 2, message: 'half', at: expect.any(String) as unknown };
  expect(told).toEqual([{ type: 'progress', runId, turn: 1, callId: 'c', tool: 'work', ...report }]);
  expect(types).toEqual(['model', 'tool', 'model', 'run']);
});
