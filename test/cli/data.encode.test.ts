import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pendingId, openDesk, type Desk } from '../client/desk';
import { testServer } from '../support/test-server';
import { documentOf, holdpoint } from './command';
import { payloadCodecs } from './data-options';
import { REFUND, shopAgent } from './shop';

const file = join(__dirname, 'data-options.ts');
let shop: Desk;
beforeAll(async () => {
  shop = await openDesk([shopAgent()], testServer(), { payloadCodecs });
});
afterAll(() => shop.close());

test('with --data-options, or its variable, the command reads and answers what is encoded', async () => {
  const text = shop.play([REFUND, { content: 'Refunded.' }]);
  const halted = await shop.client.run('shop', text);
  const shown = await holdpoint(['show', halted.runId, '--data-options', file]);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(text) as string });
  const env = { TEMPORAL_ADDRESS: testServer().address, HOLDPOINT_DATA_OPTIONS: file };
  const args = ['answer', halted.runId, pendingId(halted), '--approve', '--json'];
  expect(documentOf(await holdpoint(args, { env }))).toMatchObject({ ok: true, resolved: true });
  expect(await shop.client.result(halted.runId)).toMatchObject({ status: 'done' });
});

test('without them it says what it lacks, in its own words', async () => {
  const { runId } = await shop.client.run('shop', shop.play([REFUND]));
  const { code, stderr } = await holdpoint(['show', runId]);
  expect(code).not.toBe(0);
  expect(stderr).toContain('binary/encrypted');
  expect(stderr).toContain('--data-options');
});

test('a file that exports neither is refused before anything is connected', async () => {
  const empty = join(await mkdtemp(join(tmpdir(), 'data-')), 'empty.mjs');
  await writeFile(empty, 'export const codecs = [];\n');
  const { code, stderr } = await holdpoint(['list', '--data-options', empty], { env: {} });
  expect(code).not.toBe(0);
  expect(stderr).toContain(`${empty} exports neither`);
});
