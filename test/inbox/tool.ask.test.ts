import { createMcpServer } from '../../src/mcp/server/create-mcp-server';
import { agentTools } from '../../src/mcp/run/agent-tools';
import { mcpTools } from '../../src/mcp/run/mcp-tools';
import { defineAgent } from '../../src/tools';
import { booking, SIGN_IN } from '../mcp/booking';
import { directTransport } from '../mcp/linked';
import { accessibilityProblems, inBrowser, screenshot } from './browser';
import { calling, useStage } from './stage';

const serving = createMcpServer({ name: 'Trusted bank', version: '1', tools: [booking] });

/** An agent with a tool of its own that asks, and with one of another server. */
async function agents() {
  const remote = await mcpTools({ name: 'travel\u202e', transport: directTransport(serving) });
  return [
    defineAgent({ name: 'clerk', model: 'scripted', tools: [...agentTools(booking), ...remote.tools] }),
  ];
}
const stage = useStage(agents());

inBrowser(
  'what the tool of another server asks is a form that names the server, and takes what fits',
  async () => {
    const { page, client } = stage;
    const { runId, link } = await stage.halted(calling('travel_x202e___book', {}));
    const { requests = [] } = await client.get(runId);
    expect(requests.map(({ kind }) => kind)).toEqual(['input', 'authorization']);
    await page.goto(link);
    await page.getByText('Asked by the tool book of the MCP server travel\\u{202e}').waitFor();
    // Of the server's own words nothing is markup.
    await page.getByText('Which <b>seat</b>?').first().waitFor();
    await page.getByLabel('Row').fill('0');
    await page.getByText('This must be at least 1.').waitFor();
    // Nothing but the form would be taken.
    expect(await page.getByText('Answer with JSON').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Yes' }).count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await screenshot(page, 'input-form');
    await page.getByLabel('Row').fill('4');
    await page.getByRole('button', { name: 'Send this answer' }).click();
    await page.getByRole('heading', { name: 'This is answered' }).waitFor();
    expect(await client.get(runId)).toMatchObject({ status: 'pending', pending: { kind: 'authorization' } });
  },
);

inBrowser(
  'the address that a server sends a person to is shown with its name, and is not opened',
  async () => {
    const { page, client } = stage;
    const { runId, link } = await stage.halted(calling('travel_x202e___book', {}));
    const [form, account] = (await client.get(runId)).requests ?? [];
    await page.goto(link.replace(form?.id ?? '', account?.id ?? ''));
    await page.getByText('of the MCP server travel\\u{202e}').waitFor();
    await page.getByRole('article').getByText(SIGN_IN, { exact: true }).waitFor();
    const opened: string[] = [];
    page.context().on('request', (request) => opened.push(request.url()));
    const away = page.getByRole('link', { name: 'Open bank.example in a new tab' });
    expect(await away.getAttribute('rel')).toContain('noreferrer');
    expect(await accessibilityProblems(page)).toEqual([]);
    await screenshot(page, 'input-address');
    await page.getByRole('button', { name: 'It is done' }).click();
    await page.getByRole('heading', { name: 'This is answered' }).waitFor();
    expect(opened.filter((url) => url.includes('bank.example'))).toEqual([]);
    const done = await client.runWithAnswer(runId, {
      id: form?.id ?? '',
      ok: true,
      data: { content: { row: 7 } },
    });
    expect(JSON.parse(done.toolCalls[0]?.output ?? '')).toEqual({
      seat: { action: 'accept', content: { row: 7 } },
      account: { action: 'accept' },
    });
  },
);

inBrowser('a tool of the worker’s own is named alone', async () => {
  const { page } = stage;
  const { link } = await stage.halted(calling('book', {}));
  await page.goto(link);
  await page.getByText('Asked by the tool book', { exact: true }).waitFor();
});
