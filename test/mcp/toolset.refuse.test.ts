import type { Transport } from '@modelcontextprotocol/client';
import { mcpTools, type McpToolsOptions } from '../../src/mcp/run/mcp-tools';
import { rawServer } from './raw-server';

/** A server that lists these names, and how many connections to it are open. */
function listing(...names: string[]): { readonly transport: () => Transport; readonly open: () => number } {
  let open = 0;
  const made = rawServer(({ method }) =>
    method === 'tools/list'
      ? { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }
      : undefined,
  );
  const transport = (): Transport => {
    const ours = made();
    const [start, close] = [ours.start.bind(ours), ours.close.bind(ours)];
    let isOpen = false;
    ours.start = async () => {
      if (!isOpen) open += 1;
      isOpen = true;
      await start();
    };
    ours.close = async () => {
      if (isOpen) open -= 1;
      isOpen = false;
      await close();
    };
    return ours;
  };
  return { transport, open: () => open };
}

test.each<[string, object, RegExp]>([
  ['nobody reads', { needsApproval: true }, /Unknown option `needsApproval`/],
  ['say nothing of who is asked', { approvers: ['ada'] }, /`approvers` needs `approve`/],
  ['are no approval', { approve: 'yes' }, /`approve`/],
  ['end each call at once', { timeoutMs: 0 }, /`timeoutMs`/],
  ['are too long for a timer', { timeoutMs: 2 ** 31 }, /`timeoutMs`/],
  ['are no time', { expiresIn: '2 dayz' }, /expiresIn/],
  ['are no policy', { onUnknownOutcome: 'again' }, /`onUnknownOutcome`/],
  ['choose nothing', { include: 'act' }, /`include`/],
  ['call the server nothing', { name: '' }, /`name`/],
])('options that %s are refused, not passed over with their tools', async (_what, options, problem) => {
  const { transport, open } = listing('act');
  const given = { name: 'raw', transport, ...options } as McpToolsOptions;
  await expect(mcpTools(given)).rejects.toMatchObject({
    type: 'Holdpoint.Tool.InvalidDefinition',
    message: expect.stringMatching(problem) as string,
  });
  expect(open()).toBe(0);
});

test('a round may take as long as it may be silent, also where that is more than a call has by itself', async () => {
  const { transport } = listing('act');
  const budgetOf = async (timeoutMs: number) => {
    const toolset = await mcpTools({ name: 'raw', transport, timeoutMs });
    await toolset.close();
    return toolset.tools[0]?.timeoutMs;
  };
  // 0 leaves it at the five minutes of every call.
  await expect(budgetOf(60_000)).resolves.toBe(0);
  await expect(budgetOf(600_000)).resolves.toBe(600_000);
});

test('a server whose tools are refused is connected no more', async () => {
  const { transport, open } = listing('act', 'act');
  await expect(mcpTools({ name: 'raw', transport })).rejects.toMatchObject({ type: 'Holdpoint.Tool.Clash' });
  expect(open()).toBe(0);
});
