import type { Browser } from 'playwright-core';
import type { JsonObject } from '../../src/agent/json';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { openDesk, pendingId, type Desk } from '../client/desk';
import { clerk } from './agents';
import {
  accessibilityProblems,
  hasBrowser,
  openBrowser,
  openTab,
  screenshot,
  signIn,
  type Tab,
} from './browser';
import { openInbox, type InboxServer } from './inbox-server';

const inBrowser = hasBrowser ? test : test.skip;

let desk: Desk;
let inbox: InboxServer;
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  if (!hasBrowser) return;
  quietRuntime();
  desk = await openDesk([clerk]);
  inbox = await openInbox({ client: desk.client });
  browser = await openBrowser();
  tab = await openTab(browser);
  await signIn(tab.page, inbox.url, 'ana-key');
});
afterEach(() => {
  expect(inbox?.faults ?? []).toEqual([]);
  expect(tab?.offences ?? []).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await inbox?.close();
  await desk?.close();
});

/** A run that waits for the approval of a refund. */
async function waitingRefund(args: JsonObject = { order: '1047', amountCents: 8990 }) {
  const turn = {
    content: 'The parcel came back today.',
    toolCalls: [{ id: 'r', name: 'refund', arguments: args }],
  };
  const text = desk.play([turn, { content: 'Done.' }]);
  const halted = await desk.client.run('clerk', text);
  return { halted, link: `${inbox.url}/requests/${halted.runId}/${encodeURIComponent(pendingId(halted))}` };
}

inBrowser('a request that comes appears in the open list, and a click and a press approve it', async () => {
  const { page } = tab;
  await page.goto(inbox.url);
  const { halted, link } = await waitingRefund();
  await until('it is listed', async () =>
    (await desk.client.requests({})).some((row) => row.runId === halted.runId),
  );
  const row = page.locator(`a[href="${new URL(link).pathname}"]`);
  await row.waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'list');
  await row.click();
  await page.getByRole('heading', { name: 'Approve refund?' }).waitFor();
  await page.getByText('89.90', { exact: false }).first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'approval');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('heading', { name: 'This is answered' }).waitFor();
  expect(await page.getByText('by ana').count()).toBeGreaterThan(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  const done = await desk.client.result(halted.runId);
  expect(done.toolCalls[0]?.output).toBe('Paid 89.90 EUR back for order 1047.');
  expect(done.receipts?.[0]).toMatchObject({ by: 'ana', ok: true });
  await page.reload();
  await screenshot(page, 'approved');
});

inBrowser('a decline reaches the model with its reason', async () => {
  const { page } = tab;
  const { halted, link } = await waitingRefund();
  await page.goto(link);
  await page.getByText('Decline', { exact: true }).first().click();
  await page.getByLabel('Reason').fill('The parcel is empty.');
  await screenshot(page, 'decline');
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('heading', { name: 'This is declined' }).waitFor();
  const done = await desk.client.result(halted.runId);
  expect(done.toolCalls[0]?.output).toContain('The parcel is empty.');
});
