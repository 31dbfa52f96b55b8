import { approve } from '../../src/agent/decisions';
import type { Desk } from '../client/desk';
import { pendingId } from '../client/desk';
import { until } from '../support/until';
import { documentOf, holdpoint } from './command';
import { openShop, REFUND, turn } from './shop';

let shop: Desk;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

test('show tells who said what, each call with its arguments and result, and who answered when', async () => {
  const hostile = 'sent\u202e\u0007 by \u001b]8;;http://evil\u0007me\u001b[0m';
  const text = shop.play([
    { content: 'I look first.', toolCalls: [{ id: 'l1', name: 'look', arguments: {} }] },
    REFUND,
    { content: 'Refunded.\nGoodbye.' },
  ]);
  const halted = await shop.client.run('shop', text, { context: { customer: 7 } });
  await shop.client.answer(halted.runId, { id: pendingId(halted), ok: true, by: hostile });
  await shop.client.result(halted.runId);

  const { code, stdout } = await holdpoint(['show', halted.runId]);
  expect(code).toBe(0);
  const lines = stdout
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/req_[\w-]+/g, '<request>')
    .split('\n');
  expect(lines).toEqual([
    'user',
    `  ${text}`,
    '',
    'assistant',
    '  I look first.',
    '  look call l1',
    '    (no arguments)',
    '    result nothing here',
    '',
    'assistant',
    '  refund call c1',
    '    order  "1047"',
    '    cents  8990',
    '    answered by sent\\u{202e}\\x07 by \\e]8;;http://evil\\x07me\\e[0m at <time> (update), request <request>',
    '    result paid {"order":"1047","cents":8990}',
    '',
    'assistant',
    '  Refunded.',
    '  Goodbye.',
    '',
    `Run ${halted.runId} is done: 3 model calls, 2 tool calls.`,
    '6 tokens, model scripted',
    '',
  ]);
});

test('show lists the approvals of all calls that hold', async () => {
  const halted = await shop.client.run('shop', shop.play([REFUND, turn(['repay', 'r1', { cents: 1 }])]));
  const at = pendingId(halted);
  await shop.client.runWithAnswer(halted.runId, approve(at, { by: 'ann\u0007', allCalls: true }));
  const lines = async () => (await holdpoint(['show', halted.runId])).stdout.split('\n');
  expect(await lines()).toContainEqual(expect.stringMatching(/^ {2}refund by ann\\x07 at \d{4}-\S+$/));
  await shop.client.revokeApproval(halted.runId, 'refund');
  expect(await lines()).not.toContain('Approved for all calls');
});

test('show of a halted run has the request and the commands; --json is the result as the client gives it', async () => {
  const halted = await shop.client.run('shop', shop.play([turn(['stock', 'a', { text: 'one\ntwo' }])]));
  const { code, stdout } = await holdpoint(['show', halted.runId]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/stock call a\n {4}text\n {6}\| one\n {6}\| two\n {4}waits for an answer\n/);
  expect(stdout).toMatch(new RegExp(`holdpoint answer ${halted.runId} req_\\S+ --output 'the result'`));
  const json = await holdpoint(['show', halted.runId, '--json', '--wait']);
  expect(json.code).toBe(3);
  expect(documentOf(json)).toEqual(JSON.parse(JSON.stringify(await shop.client.get(halted.runId))));
});

test('a long message is cut and says so, unless --full; JSON on a terminal’s way holds no control character', async () => {
  const done = await shop.client.run('shop', shop.play([{ content: `${'x'.repeat(5_000)}\u009bEND` }]));
  const cut = await holdpoint(['show', done.runId]);
  expect(cut.stdout).toContain('… 3004 more characters; --full shows them');
  expect(cut.stdout).not.toContain('END');
  const full = await holdpoint(['show', done.runId, '--full']);
  expect(full.stdout).toContain('x\\x9bEND');
  const json = await holdpoint(['show', done.runId, '--json']);
  expect(json.stdout).toContain('x\\u009bEND');
  expect(documentOf(json)).toMatchObject({ text: done.text });
});

test('the open requests of all runs are a table, by agent, kind and tenant', async () => {
  const tenant = `tenant-${Date.now()}`;
  const client = shop.client.forTenant(tenant);
  const halted = await client.run('shop', shop.play([turn(['refund', 'c1'], ['stock', 'a'])]));
  const [refund, stock] = halted.requests ?? [];
  // The server's lists lag.
  await until('both are listed', async () => (await client.requests()).length === 2);
  const all = await holdpoint(['requests', '--tenant', tenant]);
  expect(all.code).toBe(0);
  const [heads = '', ...rows] = all.stdout.split('\n');
  expect(heads.split(/ {2,}/)).toEqual(['RUN', 'REQUEST', 'KIND', 'AGENT', 'AGE', 'EXPIRES', 'PROMPT']);
  const columns = (row: string): string => row.slice(heads.indexOf('KIND'), heads.indexOf('AGE ')).trim();
  expect(rows.slice(0, 2).map(columns)).toEqual(['approval   shop', 'tool_call  shop']);
  expect(rows).toContain(`To answer: holdpoint answer <run> <request> --tenant ${tenant}`);

  const one = await holdpoint([
    'requests',
    '--tenant',
    tenant,
    '--kind',
    'tool_call',
    '--agent',
    'shop',
    '--json',
  ]);
  expect(documentOf(one)).toMatchObject({
    requests: [{ runId: halted.runId, request: { id: stock?.id }, confirmed: true, callIds: ['a'] }],
  });
  const none = await holdpoint(['requests', '--tenant', tenant, '--agent', 'other']);
  expect(none).toEqual({ code: 0, stdout: 'No run waits for an answer.\n', stderr: '' });
  expect(refund?.kind).toBe('approval');
});

test('show --follow tells what happens until the run has ended, and exits by how it ended', async () => {
  const halted = await shop.client.run('shop', shop.play([REFUND, { content: 'Refunded.' }]));
  const requestId = pendingId(halted);
  const following = holdpoint(['show', halted.runId, '--follow']);
  await shop.client.answer(halted.runId, { id: requestId, ok: true });
  const { code, stdout } = await following;
  expect(code).toBe(0);
  const lines = stdout
    .replace(/^\d\d:\d\d:\d\d/gm, '<time>')
    .replace(/\d+\.\d s$/gm, '<took>')
    .split('\n');
  expect(lines).toEqual([
    '<time>  model     scripted  2 tokens, tool_calls  <took>',
    `<time>  request   approval ${requestId}  for c1`,
    `<time>  answer    ${requestId}  yes (update)`,
    '<time>  tool      refund call c1  ok  <took>',
    '<time>  model     scripted  2 tokens, stop  <took>',
    '<time>  run       done',
    '',
  ]);
  const json = await holdpoint(['show', halted.runId, '--follow', '--json']);
  const events = json.stdout.split('\n').filter((line) => line !== '');
  const [first, second] = events.map((line) => JSON.parse(line) as { position: number; type: string });
  expect([first?.type, second?.type, events.length]).toEqual(['model', 'request', 6]);
  const rest = await holdpoint([
    'show',
    halted.runId,
    '--follow',
    '--after',
    String(second?.position),
    '--json',
  ]);
  expect(rest.stdout.split('\n').filter((line) => line !== '')).toEqual(events.slice(2));
  for (const flags of [['--after', '3'], ['--progress']]) {
    const wrong = await holdpoint(['show', halted.runId, ...flags]);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining(`${flags[0]} goes with --follow`),
    ]);
  }
});
