import type { OpenRequestRow } from '../../src/client';
import { requestRows } from '../../src/cli/request-rows';
import { PLAIN_STYLE } from '../../src/cli/style';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const row = (id: string, prompt: string): OpenRequestRow => ({
  runId: `shop-${'x'.repeat(36)}`,
  agent: 'shop',
  request: { id, kind: 'approval', prompt, expiresAt: '2030-01-01T02:00:00Z' },
  callIds: ['c1'],
  openedAt: '2029-12-31T23:57:00Z',
  confirmed: true,
});
const PROMPT = 'approve refund({"order":"1047","cents":8990}) of the shop';
const rows = [row('req_1', PROMPT), row('req_2', 'How was it?')];
const linesAt = (width?: number): string[] => requestRows(rows, {}, PLAIN_STYLE, width, NOW);

test('on a wide terminal, and without one, requests are a table', () => {
  expect(linesAt()[0]).toMatch(/^RUN +REQUEST +KIND +AGENT +AGE +EXPIRES +PROMPT$/);
  expect(linesAt()[1]).toMatch(/3 min +in 2 h +approve refund.*shop$/);
  expect(linesAt(200)).toEqual(linesAt());
});

test('where a table would leave no room for the prompt, each request is a block with all of it', () => {
  const run = `shop-${'x'.repeat(36)}`;
  expect(linesAt(80)).toEqual([
    PROMPT,
    `  run      ${run}`,
    '  request  req_1',
    '  approval of shop, 3 min old, expires in 2 h',
    '',
    'How was it?',
    `  run      ${run}`,
    '  request  req_2',
    '  approval of shop, 3 min old, expires in 2 h',
    '',
    expect.stringMatching(/^To answer: .*holdpoint answer <run> <request>$/),
  ]);
});
