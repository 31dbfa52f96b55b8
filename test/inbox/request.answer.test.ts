import { accessibilityProblems, inBrowser, screenshot } from './browser';
import { asking, useStage } from './stage';

const stage = useStage();

inBrowser('a question with choices is answered with one of them', async () => {
  const { page, client } = stage;
  const choices = ['Refund in full', 'Refund half', 'No refund'];
  const { runId, link } = await stage.halted(
    asking({ kind: 'question', prompt: 'The jacket has a stain.\nWhat shall we do?', data: { choices } }),
  );
  await page.goto(link);
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'question');
  await page.getByLabel('Refund half').check();
  await page.getByRole('button', { name: 'Send this answer' }).click();
  await page.getByRole('heading', { name: 'This is answered' }).waitFor();
  expect((await client.result(runId)).toolCalls[0]?.output).toBe('{"output":"Refund half"}');
});

inBrowser('a question with a schema is answered with a form made from it', async () => {
  const { page, client } = stage;
  const schema = {
    type: 'object',
    required: ['name', 'days'],
    properties: {
      name: { type: 'string', title: 'Your name', description: 'As on the <b>invoice</b>' },
      days: { type: 'integer', title: 'Days', minimum: 1 },
      urgent: { type: 'boolean', title: 'Urgent' },
      size: { type: 'string', title: 'Size', enum: ['S', 'M', 'L'] },
      parts: { type: 'array', title: 'Parts', items: { type: 'string' } },
      address: {
        type: 'object',
        title: 'Address',
        properties: { street: { type: 'string' }, since: { type: 'string', format: 'date-time' } },
      },
    },
  };
  const { runId, link } = await stage.halted(
    asking({ kind: 'question', prompt: 'Who, and for how long?', data: { form: schema } }),
  );
  await page.goto(link);
  await page.getByLabel('Your name').fill('Ada\u202e');
  await page.getByText('With hidden characters: Ada\\u{202e}').waitFor();
  await page.getByLabel('Days').fill('0');
  await page.getByText('This must be at least 1.').waitFor();
  await page.getByLabel('Days').fill('3');
  await page.getByLabel('Urgent').check();
  await page.getByLabel('Size').selectOption('L');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByLabel('Parts-1').fill('sleeve');
  await page.getByLabel('since').fill('2026-03-01T12:00:00+02:00');
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'question-form');
  await page.getByRole('button', { name: 'Send this answer' }).click();
  await page.getByRole('heading', { name: 'This is answered' }).waitFor();
  const output = (await client.result(runId)).toolCalls[0]?.output ?? '';
  expect(JSON.parse(output)).toEqual({
    content: {
      name: 'Ada\u202e',
      days: 3,
      urgent: true,
      size: 'L',
      parts: ['sleeve'],
      address: { since: '2026-03-01T12:00:00+02:00' },
    },
  });
});

inBrowser(
  'results of relayed calls are given one by one, errors marked, and the rest stays open',
  async () => {
    const { page, client } = stage;
    const { runId, link } = await stage.halted({
      toolCalls: ['a', 'b'].map((id) => ({ id, name: 'stock', arguments: { sku: `sku-${id}` } })),
    });
    await page.goto(link);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Result of 2. stock').fill('The shelf is\nempty.');
    await page.getByLabel('This is an error').nth(1).check();
    await screenshot(page, 'relay');
    await page.getByRole('button', { name: 'Give these results' }).click();
    await page.getByText('1 still open').first().waitFor();
    await screenshot(page, 'relay-rest');
    await page.getByLabel('Result of stock').fill('12');
    await page.getByRole('button', { name: 'Give this result' }).click();
    await page.getByRole('heading', { name: 'This is answered' }).waitFor();
    const { toolCalls } = await client.result(runId);
    expect(toolCalls.map(({ output, isError }) => ({ output, isError }))).toEqual([
      { output: '12', isError: false },
      { output: 'The shelf is\nempty.', isError: true },
    ]);
  },
);

inBrowser('a result that is checked says by what, and one that does not fit can be mended', async () => {
  const { page, client } = stage;
  const { runId, link } = await stage.halted({ toolCalls: [{ id: 'w', name: 'weight', arguments: {} }] });
  await page.goto(link);
  await page.getByText('What the result is to be, as JSON').click();
  await page
    .getByRole('region', { name: 'JSON Schema of the result of weight' })
    .getByText('"grams"')
    .first()
    .waitFor();
  await page.getByLabel('Result of weight', { exact: true }).fill('heavy');
  await page.getByRole('button', { name: 'Give this result' }).click();
  await page.getByRole('alert').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'relay-refused');
  await page.getByLabel('Result of weight', { exact: true }).fill('{"grams":700}');
  await page.getByRole('button', { name: 'Give this result' }).click();
  await page.getByRole('heading', { name: 'This is answered' }).waitFor();
  expect((await client.result(runId)).toolCalls).toMatchObject([{ output: '{"grams":700}' }]);
});

inBrowser('an address to sign in at is shown and not opened; a script is no address', async () => {
  const { page, client } = stage;
  const url = 'https://bank.example@evil.example/authorize?state=1';
  const { runId, link } = await stage.halted(
    asking({ kind: 'authorization', prompt: 'Allow the calendar.', url }),
  );
  await page.goto(link);
  await page.getByRole('article').getByText(url, { exact: true }).waitFor();
  const away = page.getByRole('link', { name: 'Open evil.example in a new tab' });
  expect(await away.getAttribute('rel')).toContain('noreferrer');
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'authorization');
  await page.getByRole('button', { name: 'It is done' }).click();
  await page.getByRole('heading', { name: 'This is answered' }).waitFor();
  expect((await client.result(runId)).receipts).toMatchObject([{ ok: true, by: 'key:ana' }]);

  const script = await stage.halted(
    asking({ kind: 'authorization', prompt: 'Allow it.', url: 'javascript:alert(1)' }),
  );
  await page.goto(script.link);
  await page.getByText('This is not a web address').waitFor();
  expect(await page.locator('main a[href^="javascript"]').count()).toBe(0);
});

inBrowser('a kind of a tool\u2019s own takes words, or JSON as it is', async () => {
  const { page, client } = stage;
  const request = {
    kind: 'shipment',
    prompt: 'Which parcel?',
    data: { parcels: ['P1', 'P2'], weightKg: 1.5 },
  };
  const words = await stage.halted(asking(request));
  await page.goto(words.link);
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'own-kind');
  await page.getByRole('button', { name: 'Send this answer' }).click();
  await page.getByRole('alert').getByText('Choose or write an answer.').waitFor();
  await page.getByLabel('Answer', { exact: true }).fill('The second');
  await page.getByRole('button', { name: 'Send this answer' }).click();
  await page.getByRole('heading', { name: 'This is answered' }).waitFor();
  expect((await client.result(words.runId)).toolCalls[0]?.output).toBe('{"output":"The second"}');

  const json = await stage.halted(asking(request));
  await page.goto(json.link);
  await page.getByText('Answer with JSON').click();
  await page.getByLabel('Data of the answer').fill('{"parcel": 2}');
  await page.getByRole('button', { name: 'Send this data' }).click();
  await page.getByRole('heading', { name: 'This is answered' }).waitFor();
  expect((await client.result(json.runId)).toolCalls[0]?.output).toBe('{"parcel":2}');
});

inBrowser('an interrupted call is told what happened, or runs again, each by its own button', async () => {
  const { page, client } = stage;
  const request = { kind: 'reconcile', prompt: 'Nobody knows whether refund took effect.\nLook it up.' };
  const told = await stage.halted(asking(request));
  await page.goto(told.link);
  await page.getByText('Nobody knows', { exact: true }).click();
  await page.getByText('It did not happen').click();
  expect(await accessibilityProblems(page)).toEqual([]);
  await screenshot(page, 'reconcile');
  await page.getByLabel('Result', { exact: true }).fill('Paid yesterday.');
  await page.getByRole('button', { name: 'Give this result' }).click();
  await page.getByRole('heading', { name: 'Result given by key:ana' }).waitFor();
  expect((await client.result(told.runId)).toolCalls[0]?.output).toBe('{"output":"Paid yesterday."}');

  const again = await stage.halted(asking(request));
  await page.goto(again.link);
  await page.getByText('It did not happen').click();
  await page.getByRole('button', { name: 'Run it again' }).click();
  await page.getByRole('heading', { name: 'This is answered' }).waitFor();
  expect((await client.result(again.runId)).toolCalls[0]?.output).toBe('{"rerun":true}');
});
