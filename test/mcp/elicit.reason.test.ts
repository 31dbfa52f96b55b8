import { Client } from '@modelcontextprotocol/client';
import { createMcpServer, type McpServing } from '../../src/mcp/server/create-mcp-server';
import type { Desk } from '../client/desk';
import { serveDesk, useRefundDesk } from './agent-desk';
import { askingTool, form } from './asking-tool';
import { directTransport } from './linked';

const openedDesk = useRefundDesk();
let desk: Desk;
beforeAll(() => {
  desk = openedDesk();
});

type Given = Readonly<Record<string, string | number>>;

/** What a person reads at a client of the MCP SDK who says one thing after the other, and what the call gives. */
async function said(serving: McpServing, name: string, args: object, answers: readonly Given[]) {
  const read: string[] = [];
  const client = new Client(
    { name: 'sdk', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    read.push(params.message);
    const content = answers[read.length - 1];
    return content ? { action: 'accept', content } : { action: 'cancel' };
  });
  await client.connect(directTransport(serving)());
  const result = await client.callTool({ name, arguments: { ...args } });
  await client.close();
  return { read, result };
}

test('whoever gives an agent what does not fit reads why it is asked again', async () => {
  const serving = serveDesk(desk);
  const input = desk.play([
    { toolCalls: [{ id: 'q', name: 'question', arguments: { question: 'Which?', choices: ['a', 'b'] } }] },
    { content: 'Thanks.' },
  ]);
  const { read, result } = await said(serving, 'desk', { input }, [{ answer: 'c' }, {}, { answer: 'b' }]);
  expect(read).toEqual([
    'Which?',
    expect.stringMatching(/^The answer does not fit: `answer` .*\n\nWhich\?$/),
    expect.stringMatching(/^The answer does not fit: `answer` is missing.*\n\nWhich\?$/),
  ]);
  expect(result).toMatchObject({ content: [{ text: 'Thanks.' }] });
});

test('whoever gives a tool what does not fit reads why it is asked again', async () => {
  const { tool, calls } = askingTool([{ seat: form }]);
  const serving = createMcpServer<never>({ name: 'seats', version: '1', tools: [tool] });
  const { read, result } = await said(serving, 'book', {}, [{ seat: 4 }, { seat: '4a' }]);
  expect(read).toEqual([
    'Which seat?',
    expect.stringMatching(/^The answer does not fit: `seat` .*\n\nWhich seat\?$/),
  ]);
  expect(result).toMatchObject({ structuredContent: { seat: { content: { seat: '4a' } } } });
  // The handler is called for what fits only.
  expect(calls).toHaveLength(2);
});
