import { newId, type Desk } from '../client/desk';
import { containing } from '../support/matchers';
import { until } from '../support/until';
import { documentOf, holdpoint } from './command';
import { openShop, REFUND } from './shop';

let shop: Desk;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

test('list has runs and conversations by status, agent and tenant: a table, or one document', async () => {
  const tenant = `tenant-${newId()}`;
  const conversation = newId();
  const halted = await shop.client.run('shop', shop.play([REFUND]), { tenant });
  const done = await shop.client.run('shop', shop.play([{ content: 'Done.' }]), { tenant });
  await shop.client.ask('shop', conversation, shop.play([{ content: 'Hello.' }]), { tenant });
  // The server's lists lag.
  await until('each is listed as it stands', async () => {
    const runs = await shop.client.list({ tenant });
    return (
      runs
        .map(({ status }) => status)
        .sort()
        .join() === 'done,idle,pending'
    );
  });

  const all = await holdpoint(['list', '--tenant', tenant]);
  expect(all).toMatchObject({ code: 0, stderr: '' });
  const [heads = '', ...rows] = all.stdout.trimEnd().split('\n');
  expect(heads.split(/ {2,}/)).toEqual(['RUN', 'AGENT', 'STATUS', 'AGE']);
  expect(rows.map((row) => row.split(/ {2,}/).slice(0, 3)).sort()).toEqual(
    [
      [halted.runId, 'shop', 'pending'],
      [done.runId, 'shop', 'done'],
      [`${conversation}/1`, 'shop', 'idle'],
    ].sort(),
  );
  expect(rows.at(-1)).toContain(done.runId);
  for (const row of rows) expect(row).toMatch(/ {2}\d+ (s|min)$/);

  const one = await holdpoint([
    'list',
    '--tenant',
    tenant,
    '--status',
    'pending',
    '--agent',
    'shop',
    '--json',
  ]);
  expect([one.code, documentOf(one)]).toEqual([
    0,
    { runs: [expect.objectContaining({ runId: halted.runId, status: 'pending', agent: 'shop', tenant })] },
  ]);
  const cut = await holdpoint(['list', '--tenant', tenant, '--limit', '1']);
  expect(cut.stderr).toBe('There may be more than these 1: give a higher --limit.\n');
  expect(cut.stdout.split('\n')).toHaveLength(3);
});

test('list says that there is nothing, or that nothing can be listed; a status that does not exist is wrong usage', async () => {
  const none = await holdpoint(['list', '--agent', newId()]);
  expect(none).toEqual({ code: 0, stdout: 'There are no such runs.\n', stderr: '' });
  const without = await holdpoint(['list', '--search-attributes', 'none']);
  expect(without).toMatchObject({ code: 0, stdout: 'Without search attributes nothing can be listed.\n' });
  const wrong = await holdpoint(['list', '--status', 'waiting']);
  expect(wrong).toMatchObject({
    code: 2,
    stdout: '',
    stderr: containing('Allowed choices are running, pending'),
  });
});
