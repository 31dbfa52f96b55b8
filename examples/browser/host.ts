/** Has the browser: gives the agent a task, and executes in a real page what the agent relays. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { relayAnswer, relayCallsOf, type RelayCall, type RelayResult } from 'holdpoint';
import { createClient } from 'holdpoint/client';
import { clickSchema, TASK_QUEUE } from './agent';
import { findChromium } from './chromium';

const TASK = 'Put the rain jacket into the basket, in size M or else in L.';

async function main(): Promise<void> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium on the PATH. Install one, or set CHROMIUM_PATH.');
  // Chromium's sandbox does not work for root, as whom containers often run.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(__dirname, 'page.html')).href);
    await shop(page);
    console.log(`The page says:  ${await page.locator('#basket').innerText()}`);
  } finally {
    await browser.close();
  }
}

async function shop(page: Page): Promise<void> {
  await using client = await createClient({ taskQueue: TASK_QUEUE });
  let result = await client.run('shopper', TASK);
  while (result.status === 'pending') {
    const results: RelayResult[] = [];
    // One request holds all relay calls of a message; in a page their order matters.
    for (const call of relayCallsOf(result.pending)) results.push(await execute(page, call));
    result = await client.runWithAnswer(result.runId, relayAnswer(result.pending.id, results));
  }
  console.log(`The agent says: ${result.text} (${result.status})`);
}

/** What goes wrong in the browser is a result as well: the agent is told, and may try something else. */
async function execute(page: Page, call: RelayCall): Promise<RelayResult> {
  let result: RelayResult;
  try {
    result = { id: call.id, output: await perform(page, call) };
  } catch (error) {
    result = { id: call.id, output: error instanceof Error ? error.message : String(error), isError: true };
  }
  console.log(`${call.name}(${call.arguments}) gives ${JSON.stringify(result.output)}`);
  return result;
}

async function perform(page: Page, { name, input }: RelayCall): Promise<string> {
  if (name === 'read_page') {
    const buttons = await page.getByRole('button').allInnerTexts();
    return `${await page.locator('body').innerText()}\n[${buttons.join('] [')}]`;
  }
  const { button: text } = clickSchema.parse(input);
  const button = page.getByRole('button', { name: text, exact: true });
  if (!(await button.isEnabled({ timeout: 2_000 }))) throw new Error(`The button ${text} is disabled.`);
  await button.click({ timeout: 2_000 });
  return `Clicked. ${await page.locator('#basket').innerText()}`;
}

void main();
