import { defineAgent, defineTool } from '../../src/tools';
import { until } from '../support/until';
import { accessibilityProblems, inBrowser, screenshot } from './browser';
import { calling, useStage } from './stage';

const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  inputSchema: {
    type: 'object',
    properties: { invoice: { type: 'string' }, euros: { type: 'number' } },
  } as const,
  needsApproval: true,
  approvers: ['key:ana', 'finance'],
  quorum: 2,
  remindAfter: '1 hour',
  execute: () => 'Paid.',
});
const look = defineTool({
  name: 'look',
  description: 'Looks something up.',
  inputSchema: { type: 'object' } as const,
  needsApproval: true,
  execute: () => 'Found.',
});
const stage = useStage([defineAgent({ name: 'clerk', model: 'scripted', tools: [pay, look] })]);
const PAY = calling('pay', { invoice: 'A-77', euros: 120.5 });

inBrowser(
  'two of the named people must approve, each sees who has, and nobody else has a button',
  async () => {
    const { page, client } = stage;
    const { runId, link } = await stage.listed(PAY);
    await page.goto(link);
    await page.getByText('0 of 2').waitFor();
    await page.getByText('May be answered by key:ana, finance.').waitFor();
    await page.getByText('are reminded on').waitFor();
    const second = await stage.tabOf('fay');
    const told = second.waitForResponse((sent) => sent.url().endsWith('/state'));
    await second.goto(link);
    await told;
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('1 of 2').waitFor();
    await page.getByText('You approved this on').waitFor();
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
    await screenshot(page, 'quorum');

    const stranger = await stage.tabOf('ben');
    await stranger.goto(link);
    await stranger.getByText('the request names who may, and you are none of them').waitFor();
    expect(await stranger.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);

    // Who has the page open is told of a vote.
    await second.getByText('Somebody has voted').waitFor();
    await second.getByRole('link', { name: 'Show what there is now' }).click();
    await second.getByText('1 of 2').waitFor();
    await second.getByRole('button', { name: 'Approve', exact: true }).click();
    await second.getByRole('heading', { name: 'This is approved' }).waitFor();
    await second.getByText('as finance').first().waitFor();
    expect((await client.result(runId)).toolCalls[0]?.output).toBe('Paid.');
  },
);

inBrowser('the list shows what is mine to answer, and with a filter what is others\u2019', async () => {
  const { inbox } = stage;
  const { link } = await stage.listed(PAY);
  const row = `a[href="${new URL(link).pathname}"]`;
  const stranger = await stage.tabOf('ben');
  expect(await stranger.locator(row).count()).toBe(0);
  await stranger.getByLabel('Whose').selectOption('everybody');
  await stranger.getByRole('button', { name: 'Filter' }).click();
  await stranger.locator(row).waitFor();
  const approver = await stage.tabOf('fay', { viewport: { width: 360, height: 740 }, isMobile: true });
  await approver.locator(row).getByText('0 of 2 approved').waitFor();
  expect(await approver.title()).toMatch(/^\(\d+\) What is waiting/);
  expect(await accessibilityProblems(approver)).toEqual([]);
  await screenshot(approver, 'phone-list-policy');
  await approver.goto(`${inbox.url}?kind=question`);
  await approver.getByText('Nothing like that is waiting.').waitFor();
});

inBrowser(
  'all calls of a tool are approved by a decision of its own, which stands in the record',
  async () => {
    const { page, client } = stage;
    const { runId, link } = await stage.halted(calling('look', { at: 1 }), calling('look', { at: 2 }));
    await page.goto(link);
    await page.getByText('Approve all calls of this tool').click();
    await page.getByText('whatever its arguments are').waitFor();
    await screenshot(page, 'all-calls');
    await page.getByRole('button', { name: 'Approve all of them' }).click();
    await page.getByText('and all calls of look in this run').first().waitFor();
    const done = await client.result(runId);
    expect(done.toolCalls.map(({ output }) => output)).toEqual(['Found.', 'Found.']);
    await page.goto(`${stage.inbox.url}/runs/${runId}`);
    await page.getByText('by an earlier decision about all calls').first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await screenshot(page, 'run');
  },
);

inBrowser(
  'an approval of all calls stands on the run\u2019s page and is taken back there: the next call asks',
  async () => {
    const { page, client } = stage;
    const { runId, link } = await stage.halted(calling('look', { at: 1 }), PAY, calling('look', { at: 2 }));
    await page.goto(link);
    await page.getByText('Approve all calls of this tool').click();
    await page.getByRole('button', { name: 'Approve all of them' }).click();
    await page.getByText('and all calls of look in this run').first().waitFor();
    let paying: string | undefined;
    await until('it asks for the payment', async () => {
      const { pending } = await client.get(runId);
      paying = pending?.data?.['tool'] === 'pay' ? pending.id : undefined;
      return paying !== undefined;
    });
    const runPage = `${stage.inbox.url}/runs/${runId}`;
    const reader = await stage.tabOf('rita');
    await reader.goto(runPage);
    await reader.getByText('All calls of look, approved by key:ana, since').waitFor();
    expect(await reader.getByRole('button', { name: /Take back/ }).count()).toBe(0);
    await page.goto(runPage);
    expect(await accessibilityProblems(page)).toEqual([]);
    await screenshot(page, 'run-grants');
    await page.getByRole('button', { name: 'Take back the approval of all calls of look' }).click();
    await page.getByText('Taken back: the next call of this tool asks again.').waitFor();
    expect(await page.getByRole('button', { name: /Take back/ }).count()).toBe(0);
    const decline = { id: paying ?? '', ok: false, by: 'fay', roles: ['finance'] };
    const asked = await client.runWithAnswer(runId, decline);
    expect(asked).toMatchObject({ status: 'pending', pending: { data: { tool: 'look', input: { at: 2 } } } });
  },
);

inBrowser('an approval of what has changed since it was shown is refused, and says so', async () => {
  const { page, client } = stage;
  const { runId, result, link } = await stage.halted(PAY);
  await page.goto(link);
  await page.route('**/state', (route) => route.abort());
  await client.answer(runId, {
    id: result.pending?.id ?? '',
    ok: true,
    data: { input: { invoice: 'A-78', euros: 1 } },
    by: 'fay',
    roles: ['finance'],
  });
  const [response] = await Promise.all([
    page.waitForResponse((sent) => sent.request().method() === 'POST'),
    page.getByRole('button', { name: 'Approve', exact: true }).click(),
  ]);
  expect(response.status()).toBe(409);
  await page.getByRole('heading', { name: 'This has changed since you looked' }).waitFor();
  await page.unrouteAll();
  expect((await client.get(runId)).status).toBe('pending');
});
