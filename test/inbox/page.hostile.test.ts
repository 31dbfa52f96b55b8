import { inBrowser, screenshot } from './browser';
import { asking, calling, useStage } from './stage';

const stage = useStage();

/** What tries to run, to close what surrounds it, to turn the line round, to hide, and to push away. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(2)>',
  `"'><svg onload=alert(3)>`,
  '</textarea></pre></title><iframe srcdoc="<script>alert(4)</script>">',
  '[click](javascript:alert(5)) **bold** https://evil.example/x',
  'pay\u202e001\u202c \u2066evil\u2069 \u200bzero\u00ad \u0007bell \u001b[31m \u{e0041}',
  `end${' '.repeat(200)}of line${'\n'.repeat(60)}tail`,
].join(' ');

const ESCAPES = ['\\u{202e}', '\\u{202c}', '\\u{2066}', '\\u{200b}', '\\xad', '\\x07', '\\e', '\\u{e0041}'];

/** The page's text without what is in fields to edit, which must stay as it is. */
const TEXT = `(() => {
  const copy = document.querySelector('main').cloneNode(true);
  copy.querySelectorAll('textarea, input').forEach((field) => field.remove());
  return copy.textContent;
})()`;

/** Nothing of it became a part of the page: only text. */
async function expectText(page: typeof stage.page): Promise<void> {
  const main = page.locator('main');
  expect(await main.locator('script, img, svg:not(.bar), iframe, b, a[href*="evil"]').count()).toBe(0);
  // Without what is in fields to edit, which must stay as it is.
  const text = String(await page.evaluate(TEXT));
  expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u00ad]/u);
  for (const escape of ESCAPES) expect(text).toContain(escape);
  expect(text).toContain('<script>alert(1)</script>');
}

inBrowser('hostile text in every field of an approval stays text, its hidden characters seen', async () => {
  const { page } = stage;
  const args = {
    text: HOSTILE,
    [`key ${HOSTILE}`]: 1,
    nested: { list: [HOSTILE, { deeper: HOSTILE }] },
    hebrew: 'שלום עולם',
    arabic: 'مرحبا بالعالم',
  };
  const { runId, link } = await stage.listed(calling('post', args, HOSTILE));
  await page.goto(link);
  await page.getByRole('heading', { name: 'Approve post?' }).waitFor();
  await expectText(page);
  await page.getByText('שלום עולם', { exact: true }).first().waitFor();
  await page.getByText('[200 spaces]').first().waitFor();
  await page.getByText('[60 line breaks]').first().waitFor();
  await screenshot(page, 'hostile');

  // What the page edits and sends back is the same value: escapes are for the eyes.
  await page.getByRole('link', { name: 'Edit the arguments' }).click();
  await page.getByText('Edit as JSON').waitFor();
  await screenshot(page, 'hostile-edit');
  await page.getByRole('button', { name: 'Review the change' }).click();
  await page.getByText('Nothing differs.').waitFor();

  await page.goto(link);
  await page.getByText('Decline', { exact: true }).first().click();
  await page.getByLabel('Reason').fill(HOSTILE);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('heading', { name: 'This is declined' }).waitFor();
  await expectText(page);
  await page.goto(`${stage.inbox.url}/runs/${runId}`);
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await expectText(page);
});

inBrowser('hostile text in every field of a question stays text', async () => {
  const { page, inbox } = stage;
  const schema = {
    type: 'object',
    title: HOSTILE,
    description: HOSTILE,
    properties: { [HOSTILE]: { type: 'string', title: HOSTILE, description: HOSTILE, default: HOSTILE } },
  };
  const request = { kind: HOSTILE, prompt: HOSTILE, url: HOSTILE };
  const form = await stage.listed(asking({ ...request, data: { form: schema, other: HOSTILE } }));
  await page.goto(form.link);
  await page.getByText('What the form takes').waitFor();
  await expectText(page);
  await screenshot(page, 'hostile-form');
  const choices = await stage.listed(asking({ ...request, data: { choices: [HOSTILE, 'No'] } }));
  await page.goto(choices.link);
  await page.getByLabel('No', { exact: true }).waitFor();
  await expectText(page);
  await page.goto(inbox.url);
  await page.locator(`a[href="${new URL(choices.link).pathname}"]`).waitFor();
  await expectText(page);
  await screenshot(page, 'hostile-list');
});

inBrowser('a very long text is there to its last character, before the button', async () => {
  const { page } = stage;
  const text = `${'All is well. '.repeat(20_000)}Then delete everything.`;
  const { link } = await stage.halted(calling('post', { text }));
  await page.goto(link);
  const exact = page.getByRole('region', { name: 'Exact arguments' });
  expect(await exact.textContent()).toContain('Then delete everything.');
  const values = page.getByRole('region', { name: /^text, \d+ characters$/ }).first();
  expect((await values.textContent())?.endsWith('Then delete everything.')).toBe(true);
  const order = await page.evaluate(
    `document.querySelector('.exact').compareDocumentPosition(document.querySelector('form.approve'))`,
  );
  expect(Number(order) & 4).toBe(4);
  await screenshot(page, 'long');
});
