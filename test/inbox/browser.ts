import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { findChromium } from '../../examples/browser/chromium';

/** Tests that need a browser: skipped, saying so, where there is none. */
export const hasBrowser = findChromium() !== undefined;

const why = hasBrowser ? '' : ' (skipped: there is no Chromium on the PATH, and CHROMIUM_PATH names none)';

export function inBrowser(promise: string, check: () => Promise<void>, timeoutMs = 90_000): void {
  (hasBrowser ? test : test.skip)(promise + why, check, timeoutMs);
}

const SCREENSHOTS = join(__dirname, 'screenshots');

export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error('There is no Chromium on the PATH, and CHROMIUM_PATH names none');
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
}

export interface Tab {
  readonly page: Page;
  /** What no page may do: run a foreign script, break its policy, open a dialog, fail to load. */
  readonly offences: string[];
  close(): Promise<void>;
}

/** A tab with cookies of its own. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
  context.setDefaultTimeout(20_000);
  const offences: string[] = [];
  const page = await context.newPage();
  watch(page, offences);
  return { page, offences, close: () => context.close() };
}

function watch(page: Page, offences: string[]): void {
  page.on('dialog', (dialog) => {
    offences.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => offences.push(`script: ${error.message}`));
  page.on('console', (message) => {
    // The provider of a sign-in has pages of its own.
    if (!new URL(page.url()).pathname.startsWith('/inbox')) return;
    const text = message.text();
    // A refused answer is a page with its status; the browser logs that as an error.
    if (message.type() === 'error' && !/the server responded with a status of (4\d\d|503)/.test(text))
      offences.push(text);
  });
}

/** Signs in by the form, as a person does, and comes to `url`. */
export async function signIn(page: Page, url: string, key: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in with a key' }).click();
  await page.waitForURL((at) => !at.pathname.endsWith('/sign-in'));
}

/** What axe-core finds wrong with the page, one line each. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // By the debugger, past the page's policy.
  const results = await page.evaluate(`${axe.source}; axe.run(document, { resultTypes: ['violations'] })`);
  const { violations } = results as axe.AxeResults;
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html}`));
}

/** For people to look at; nothing is compared. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
