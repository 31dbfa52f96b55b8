import { newId, type Desk } from '../client/desk';
import { containing } from '../support/matchers';
import { testServer } from '../support/test-server';
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
  const client = shop.client.forTenant(tenant);
  const halted = await client.run('shop', shop.play([REFUND]));
  const done = await client.run('shop', shop.play([{ content: 'Done.' }]));
  await client.ask('shop', conversation, shop.play([{ content: 'Hello.' }]));
  // The server's lists lag.
  await until('each is listed as it stands', async () => {
    const runs = await client.list();
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

test('--tenant, or HOLDPOINT_TENANT, means the runs of one tenant by their own ids, for every command', async () => {
  const tenant = `tenant-${newId()}`;
  const runId = newId();
  const ran = await holdpoint([
    'run',
    'shop',
    shop.play([REFUND, { content: 'Paid.' }]),
    '--tenant',
    tenant,
    '--run-id',
    runId,
    '--task-queue',
    shop.taskQueue,
  ]);
  expect(ran.code).toBe(3);
  expect(ran.stdout).toMatch(new RegExp(`holdpoint answer ${runId} \\S+ --tenant ${tenant} --approve`));
  expect(await holdpoint(['show', runId])).toMatchObject({ code: 5 });
  expect(await holdpoint(['show', runId, '--tenant', 'other'])).toMatchObject({ code: 5 });
  const env = { TEMPORAL_ADDRESS: testServer().address, HOLDPOINT_TENANT: tenant };
  expect(await holdpoint(['show', runId], { env })).toMatchObject({ code: 0 });
  expect(await holdpoint(['answer', runId, '--approve', '--wait'], { env })).toMatchObject({
    code: 0,
    stdout: 'Paid.\n',
  });
  expect(await holdpoint(['cancel', runId], { env })).toMatchObject({
    code: 5,
    stderr: containing('has ended'),
  });
  const conversation = newId();
  await shop.client.forTenant(tenant).ask('shop', conversation, shop.play([{ content: 'Hello.' }]));
  expect(await holdpoint(['show', conversation], { env })).toMatchObject({
    code: 0,
    stderr: `${conversation} is a conversation; its last ask is ${conversation}/1.\n`,
  });
  const wrong = await holdpoint(['list', '--tenant', 'a/b']);
  expect(wrong).toMatchObject({ code: 2, stderr: containing('Expected a tenant') });
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
