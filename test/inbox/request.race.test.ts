import { accessibilityProblems, inBrowser, screenshot } from './browser';
import { calling, useStage } from './stage';

const stage = useStage();
const REFUND = calling('refund', { order: '1047', amountCents: 8990 });

inBrowser('of two people who decide at once one wins, and the other is told who and what', async () => {
  const { page, client } = stage;
  const { runId, link } = await stage.halted(REFUND);
  const other = await stage.tabOf('ben');
  await Promise.all([page.goto(link), other.goto(link)]);
  await other.getByText('Decline', { exact: true }).first().click();
  const decided = (tab: typeof page, name: string) =>
    Promise.all([
      tab.waitForResponse((response) => response.request().method() === 'POST'),
      tab.getByRole('button', { name, exact: true }).click(),
    ]).then(([response]) => response.status());
  const statuses = await Promise.all([decided(page, 'Approve'), decided(other, 'Decline')]);
  expect([...statuses].sort()).toEqual([303, 409]);
  const done = await client.result(runId);
  expect(done.receipts).toHaveLength(1);
  const [winner, loser] = statuses[0] === 303 ? [page, other] : [other, page];
  const words = statuses[0] === 303 ? 'Approved by key:ana' : 'Declined by key:ben';
  await winner.getByText(words).first().waitFor();
  await loser.getByRole('heading', { name: 'Somebody answered first' }).waitFor();
  await loser.getByText('Nothing was changed by what you sent.').waitFor();
  await loser.getByText(words).first().waitFor();
  expect(await accessibilityProblems(loser)).toEqual([]);
  await screenshot(loser, 'second');
});

inBrowser('a page that is open while somebody else answers loses its buttons and says who', async () => {
  const { page, client } = stage;
  const { runId, result, link } = await stage.halted(REFUND);
  await page.goto(link);
  await client.answer(runId, { id: result.pending?.id ?? '', ok: true, by: 'cleo' });
  await page.getByText('Approved by cleo.').waitFor();
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).isDisabled()).toBe(true);
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'answered-meanwhile');
  await page.getByRole('link', { name: 'Show who decided what' }).click();
  await page.getByRole('heading', { name: 'This is approved' }).waitFor();
});

inBrowser('the same decision in two tabs counts once, and both say so', async () => {
  const { page, client } = stage;
  const { runId, link } = await stage.halted(REFUND);
  const second = await page.context().newPage();
  await Promise.all([page.goto(link), second.goto(link)]);
  await Promise.all(
    [page, second].map((tab) => tab.getByRole('button', { name: 'Approve', exact: true }).click()),
  );
  await Promise.all([page, second].map((tab) => tab.getByText('Approved by key:ana').first().waitFor()));
  await second.close();
  const done = await client.result(runId);
  expect(done.receipts).toHaveLength(1);
  expect(done.toolCalls[0]?.output).toBe('Paid 89.90 EUR back for order 1047.');
});

inBrowser(
  'a deadline that passes while the page is open takes the buttons away, and a late press says so',
  async () => {
    const { page, client } = stage;
    const unscripted = await stage.tabOf('ben', { javaScriptEnabled: false });
    const { runId, link } = await stage.halted(calling('urgent_refund', { order: '1047' }));
    await Promise.all([page.goto(link), unscripted.goto(link)]);
    await page.getByText('expires in').first().waitFor();
    await page.locator('#state').getByText('counts as declined').waitFor();
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).isDisabled()).toBe(true);
    await screenshot(page, 'expired');
    await client.result(runId);
    const [response] = await Promise.all([
      unscripted.waitForResponse((sent) => sent.request().method() === 'POST'),
      unscripted.getByRole('button', { name: 'Approve', exact: true }).click(),
    ]);
    expect(response.status()).toBe(410);
    await unscripted.getByRole('heading', { name: 'Too late: this has expired' }).waitFor();
    await screenshot(unscripted, 'too-late');
    expect((await client.result(runId)).receipts).toMatchObject([{ via: 'expiry', ok: false }]);
  },
);

inBrowser('somebody who may only read sees everything and no button', async () => {
  const { link } = await stage.halted(REFUND);
  const page = await stage.tabOf('rita');
  await page.goto(link);
  await page.getByText('You may read this and not decide it').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
});

inBrowser('a form on another site\u2019s page decides nothing, whoever is signed in: 403', async () => {
  const { client } = stage;
  const { runId, link } = await stage.halted(REFUND);
  const page = await stage.tabOf('ana');
  // The same machine by another name is another site.
  const foreign = 'http://localhost:1/evil';
  const html = `<form method="post" action="${link}"><input name="action" value="approve"><button>Win</button></form>`;
  await page.route(foreign, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(foreign);
  const [response] = await Promise.all([
    page.waitForResponse((sent) => sent.request().method() === 'POST'),
    page.getByRole('button', { name: 'Win' }).click(),
  ]);
  expect(response.status()).toBe(403);
  expect((await client.get(runId)).status).toBe('pending');
});
