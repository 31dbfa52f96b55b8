import type { Browser } from 'playwright-core';
import { listen, type ListeningServer } from '../../src/http/listen';
import { createHttpApp } from '../../src/inbox/with-api';
import { defineAgent, defineTool, questionTool } from '../../src/tools';
import { createAnswerToken, type AnswerGrant } from '../../src/tokens/answer-token';
import type { ScriptedTurn } from '../../src/testing';
import { newApiKey } from '../../src/config/api-key';
import { configOf } from '../http/desk';
import { newId, openDesk, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { accessibilityProblems, hasBrowser, inBrowser, openBrowser, openTab, screenshot } from './browser';

const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  inputSchema: {
    type: 'object',
    properties: { invoice: { type: 'string' }, amount: { type: 'number' } },
  } as const,
  hints: { destructive: true },
  needsApproval: true,
  approvers: ['key:ana', 'finance'],
  quorum: 2,
  expiresIn: '2 days',
  execute: () => 'Paid.',
});
const { entry, key } = newApiKey({ name: 'ana', scopes: ['requests:read', 'requests:answer'], roles: [] });
const config = { current: { ...configOf(), keys: [entry] } };

let desk: Desk;
let server: ListeningServer;
let browser: Browser;
beforeAll(async () => {
  if (!hasBrowser) return;
  quietRuntime();
  desk = await openDesk([defineAgent({ name: 'clerk', model: 'scripted', tools: [pay, questionTool()] })]);
  const app = createHttpApp({ client: desk.client, config });
  server = await listen(app, { port: 0, host: '127.0.0.1', config, graceMs: 0 });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await desk?.close();
});

const PAY: ScriptedTurn = {
  content: 'The invoice is due today.',
  toolCalls: [
    {
      id: 'p',
      name: 'pay',
      arguments: {
        invoice: 'A-77',
        amount: 120.5,
        currency: 'EUR',
        dueOn: '2026-03-01T12:00:00+02:00',
        lines: [{ sku: 'JACKET-M-BLUE-WATERPROOF-2026-VERY-LONG', n: 2 }],
      },
    },
  ],
};

async function linksOf(turn: ScriptedTurn) {
  const run = await desk.client.run('clerk', desk.play([turn, { content: 'Done.' }]), { runId: newId() });
  const { firstExecutionId } = await desk.client.describe(run.runId);
  return async (who: Partial<AnswerGrant> = {}): Promise<string> => {
    const grant = { runId: run.runId, firstExecutionId, requestId: run.pending?.id ?? '', ...who };
    return `${server.url}/v1/answers/${await createAnswerToken(config.current.signingKeys, grant)}`;
  };
}

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

inBrowser('a link is read and answered on a phone, by day and by night, without script', async () => {
  const link = await linksOf(PAY);
  const question = await linksOf({
    toolCalls: [
      { id: 'q', name: 'question', arguments: { question: 'Which colour?', choices: ['Red', 'Blue'] } },
    ],
  });
  const pages = {
    approval: await link({ by: 'key:ana' }),
    nameless: await link(),
    question: await question({ by: 'key:ana' }),
    nowhere: `${server.url}/v1/answers/nothing`,
  };
  for (const colorScheme of ['light', 'dark'] as const) {
    const tab = await openTab(browser, { ...PHONE, colorScheme, javaScriptEnabled: true });
    for (const [name, url] of Object.entries(pages)) {
      await tab.page.goto(url);
      const width = await tab.page.evaluate('document.documentElement.scrollWidth');
      expect({ name, width }).toEqual({ name, width: 360 });
      expect({ name, problems: await accessibilityProblems(tab.page) }).toEqual({ name, problems: [] });
      await screenshot(tab.page, `link-${colorScheme}-${name}`);
    }
    expect(tab.offences).toEqual([]);
    await tab.close();
  }
});

inBrowser('a vote by a link is told as a vote; who looks again sees it stand', async () => {
  const link = await linksOf(PAY);
  const tab = await openTab(browser, { ...PHONE, javaScriptEnabled: false });
  const { page } = tab;
  await page.goto(await link({ by: 'key:ana' }));
  await page.getByText('0 of 2').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Your vote counts: 1 of 2' }).waitFor();
  await screenshot(page, 'link-voted');
  await page.goto(await link({ by: 'key:ana' }));
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await page.getByText('More people must agree.').waitFor();
  await screenshot(page, 'link-voted-again');
  await page.goto(await link({ by: 'fay', roles: ['finance'] }));
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Your answer is recorded' }).waitFor();
  await screenshot(page, 'link-recorded');
  await tab.close();
});

inBrowser(
  'a link that names nobody leads through the sign-in to the request, which can be answered',
  async () => {
    const link = await linksOf(PAY);
    const tab = await openTab(browser);
    const { page } = tab;
    await page.goto(await link());
    expect(await page.getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: 'Sign in to the inbox to answer' }).click();
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in with a key' }).click();
    await page.getByRole('heading', { name: 'Approve pay?' }).waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('1 of 2').waitFor();
    await tab.close();
  },
);
