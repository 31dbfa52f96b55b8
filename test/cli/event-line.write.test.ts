import { eventLine } from '../../src/cli/event-line';
import { PLAIN_STYLE as style } from '../../src/cli/style';

const report = {
  type: 'progress',
  runId: 'r-1',
  turn: 1,
  callId: 'c1',
  tool: 'import',
  progress: 3,
  at: '2026-03-01T12:00:00.000Z',
} as const;

test('a report of a call is a line: how far it is, and what it said with nothing hidden', () => {
  expect(eventLine(report, style)).toBe('12:00:00  progress  import call c1  3');
  expect(eventLine({ ...report, total: 10, message: 'rows\n\u202E' }, style)).toBe(
    '12:00:00  progress  import call c1  3 of 10: rows\\n\\u{202e}',
  );
});
