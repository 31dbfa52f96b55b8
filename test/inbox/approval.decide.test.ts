import { accessibilityProblems, inBrowser, screenshot } from './browser';
import { calling, useStage } from './stage';

const stage = useStage();
const REFUND = calling('refund', { order: '1047', amountCents: 8990 }, 'The parcel came back today.');

inBrowser('a request that comes appears in the open list, and a click and a press approve it', async () => {
  const { page, inbox, client } = stage;
  await page.goto(inbox.url);
  const { runId, link } = await stage.listed(REFUND);
  const row = page.locator(`a[href="${new URL(link).pathname}"]`);
  await row.waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'list');
  await row.click();
  await page.getByRole('heading', { name: 'Approve refund?' }).waitFor();
  await page.getByText('= 89.90').first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'approval');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('heading', { name: 'This is approved' }).waitFor();
  await page.getByText('by key:ana').first().waitFor();
  // What came of it appears by itself.
  await page.getByText('Paid 89.90 EUR back for order 1047.').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'approved');
  const done = await client.result(runId);
  expect(done.receipts).toMatchObject([{ by: 'key:ana', channel: 'inbox', ok: true }]);
});

inBrowser('a decline reaches the model with its reason', async () => {
  const { page, client } = stage;
  const { runId, link } = await stage.halted(REFUND);
  await page.goto(link);
  await page.getByText('Decline', { exact: true }).first().click();
  await page.getByLabel('Reason').fill('The parcel is empty.');
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'decline');
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('heading', { name: 'This is declined' }).waitFor();
  const done = await client.result(runId);
  expect(done.toolCalls[0]?.output).toContain('The parcel is empty.');
});

inBrowser('an edit is reviewed as a difference before it runs, and what runs is the edit', async () => {
  const { page, client } = stage;
  const { runId, link } = await stage.halted(REFUND);
  await page.goto(link);
  await page.getByRole('link', { name: 'Edit the arguments' }).click();
  expect(await page.getByLabel('amountCents').inputValue()).toBe('8990');
  await page.getByLabel('amountCents').fill('4495');
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'edit');
  await page.getByRole('button', { name: 'Review the change' }).click();
  await page.getByRole('heading', { name: 'What changes' }).waitFor();
  expect(await page.locator('del').allTextContents()).toEqual(['8990 = 89.90']);
  expect(await page.locator('ins').allTextContents()).toEqual(['4495 = 44.95']);
  expect(await page.getByRole('region', { name: 'Exact arguments' }).textContent()).toContain('4495');
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'review');
  await page.getByRole('button', { name: 'Approve with this change' }).click();
  await page.getByText('Paid 44.95 EUR back for order 1047.').waitFor();
  await page.getByText('What was changed').waitFor();
  await screenshot(page, 'edited');
  const done = await client.result(runId);
  expect(done.toolCalls[0]?.args).toEqual({ order: '1047', amountCents: 4495 });
});

inBrowser('an edit as JSON that does not fit comes back with what is wrong and what was typed', async () => {
  const { page, client } = stage;
  const { runId, link } = await stage.halted(REFUND);
  await page.goto(`${link}/edit`);
  await page.getByText('Edit as JSON').click();
  const json = page.getByLabel('Arguments, as JSON');
  await json.fill('{"order": "1047", ');
  await page.getByRole('button', { name: 'Review the change' }).click();
  await page.getByRole('alert').getByText('These arguments are not JSON').waitFor();
  expect(await json.inputValue()).toBe('{"order": "1047", ');
  await json.fill('{"order": "1047", "amountCents": -5}');
  await page.getByRole('button', { name: 'Review the change' }).click();
  await page.getByRole('alert').getByText('`amountCents` must be more than 0.').waitFor();
  await screenshot(page, 'edit-refused');
  expect((await client.get(runId)).status).toBe('pending');
});

inBrowser('a person may give the result in the place of the tool, which then does not run', async () => {
  const { page, client } = stage;
  const { runId, link } = await stage.halted(REFUND);
  await page.goto(link);
  await page.getByText('Give the result yourself').click();
  await page.getByLabel('Result', { exact: true }).fill('Paid in cash at the counter.');
  await page.getByRole('button', { name: 'Give this result' }).click();
  await page.getByText('Paid in cash at the counter.').waitFor();
  await page.getByRole('heading', { name: 'Result given by key:ana' }).waitFor();
  expect((await client.result(runId)).toolCalls[0]?.output).toBe('Paid in cash at the counter.');
});
