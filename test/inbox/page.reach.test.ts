import type { Page } from 'playwright-core';
import { accessibilityProblems, inBrowser, screenshot } from './browser';
import { asking, calling, useStage } from './stage';

const stage = useStage();
const NESTED = {
  customer: { name: 'Ada Lovelace', since: '2024-11-30T09:00:00Z', tags: ['regular', 'business'] },
  lines: [
    { sku: 'JACKET-M-BLUE-WATERPROOF-2026', amount: 89.9, currency: 'EUR' },
    { sku: 'SOCKS', amount: 24.5, currency: 'EUR' },
  ],
  note: 'https://shop.example/orders/1047/returns/very-long-path-without-any-space-in-it-at-all?x=1',
};

/** Every page that there is, each with something on it. */
async function pages(): Promise<Record<string, string>> {
  const { inbox } = stage;
  const approval = await stage.listed(calling('post', NESTED, 'It came back.'));
  const question = await stage.halted(
    asking({
      kind: 'question',
      prompt: 'What next?',
      data: {
        form: {
          type: 'object',
          properties: {
            when: { type: 'string' },
            parts: { type: 'array', items: { type: 'string' }, default: ['a'] },
            size: { enum: ['S', 'M'] },
            either: {
              anyOf: [
                { type: 'string', title: 'Words' },
                { type: 'integer', title: 'Number' },
              ],
            },
          },
        },
      },
    }),
  );
  const relay = await stage.halted({
    toolCalls: ['a', 'b'].map((id) => ({ id, name: 'stock', arguments: { sku: id } })),
  });
  return {
    home: inbox.url,
    approval: approval.link,
    edit: `${approval.link}/edit`,
    run: `${inbox.url}/runs/${approval.runId}`,
    question: question.link,
    relay: relay.link,
    nothing: `${inbox.url}/runs/nobody`,
  };
}

inBrowser('on a phone no page is wider than the phone, and each is as accessible', async () => {
  const page = await stage.tabOf('ana', {
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
  });
  for (const [name, url] of Object.entries(await pages())) {
    await page.goto(url);
    await formIsThere(page, url);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect({ name, width }).toEqual({ name, width: 360 });
    expect({ name, problems: await accessibilityProblems(page) }).toEqual({ name, problems: [] });
    await screenshot(page, `phone-${name}`);
  }
});

inBrowser('in the dark, with reduced motion, every page keeps its contrast', async () => {
  const page = await stage.tabOf('ana', { colorScheme: 'dark', reducedMotion: 'reduce' });
  for (const [name, url] of Object.entries(await pages())) {
    await page.goto(url);
    await formIsThere(page, url);
    expect({ name, problems: await accessibilityProblems(page) }).toEqual({ name, problems: [] });
    await screenshot(page, `dark-${name}`);
  }
  const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
  expect(background).toBe('rgb(20, 24, 23)');
});

inBrowser(
  'with the keyboard alone a request is found, opened and approved, and the focus is seen',
  async () => {
    const { inbox, desk } = stage;
    const { runId, link } = await stage.listed(calling('refund', { order: '1047', amountCents: 100 }));
    const page = await stage.tabOf('ana');
    await page.goto(inbox.url);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await tabTo(
      page,
      async () => (await page.evaluate('document.activeElement.pathname')) === new URL(link).pathname,
    );
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineWidth');
    expect(outline).toBe('3px');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Approve refund?' }).waitFor();
    await tabTo(page, async () => (await focused(page)) === 'Approve');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This is approved' }).waitFor();
    expect((await desk.client.result(runId)).toolCalls[0]?.isError).toBe(false);
  },
);

inBrowser(
  'without script everything essential works: filter, edit as JSON, review, approve, answer',
  async () => {
    const { inbox, desk } = stage;
    const page = await stage.tabOf('ana', { javaScriptEnabled: false });
    const { runId, link } = await stage.listed(calling('refund', { order: '1047', amountCents: 8990 }));
    await page.goto(inbox.url);
    await page.getByLabel('Kind').selectOption('approval');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.locator(`a[href="${new URL(link).pathname}"]`).click();
    await page.getByRole('link', { name: 'Edit the arguments' }).click();
    await page.getByLabel('Arguments, as JSON').fill('{"order":"1047","amountCents":100}');
    await page.getByRole('button', { name: 'Review the change' }).click();
    await page.getByRole('button', { name: 'Edit again' }).click();
    await page.getByRole('button', { name: 'Review the change' }).click();
    await page.getByRole('button', { name: 'Approve with this change' }).click();
    await page.getByRole('heading', { name: 'This is approved' }).waitFor();
    expect((await desk.client.result(runId)).toolCalls[0]?.output).toContain('1.00 EUR');
    const form = { type: 'object', properties: { name: { type: 'string' } } };
    const question = await stage.halted(
      asking({ kind: 'question', prompt: 'Who?', data: { asks: 'form', form } }),
    );
    await page.goto(question.link);
    await page.getByLabel('Answer, as JSON').fill('{"name": 5}');
    await page.getByRole('button', { name: 'Send this answer' }).click();
    await page.getByRole('alert').getByText('name').waitFor();
    await page.getByLabel('Answer, as JSON').fill('{"name": "Ada"}');
    await page.getByRole('button', { name: 'Send this answer' }).click();
    await page.getByRole('heading', { name: 'This is answered' }).waitFor();
  },
);

/** The form of a page is made by its script. */
async function formIsThere(page: Page, url: string): Promise<void> {
  if (url.endsWith('/edit')) await page.getByLabel('note').waitFor();
  if ((await page.locator('[data-form-for]').count()) > 0)
    await page.locator('[data-form-for] label').first().waitFor();
}

function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent.trim()');
}

async function tabTo(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Sixty presses of Tab did not get there');
}
