import { shellQuote } from '../../src/cli/shell-quote';
import { spokenDeadline, spokenMs } from '../../src/cli/spoken-time';
import { visible, visibleJson, visibleLine } from '../../src/cli/visible-text';

test.each([
  ['an escape sequence', '\u001b[31mred', '\\e[31mred'],
  ['a C1 control', '\u009b2J', '\\x9b2J'],
  ['a carriage return', 'safe\rrm', 'safe\\rrm'],
  ['a right-to-left override', 'a\u202eb', 'a\\u{202e}b'],
  ['isolates', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
  ['a zero-width space', 'pay\u200bpal', 'pay\\u{200b}pal'],
  ['a joiner in Latin text', 'pay\u200dpal', 'pay\\u{200d}pal'],
  ['a soft hyphen', 'a\u00adb', 'a\\xadb'],
  ['a Hangul filler', 'a\u3164b', 'a\\u{3164}b'],
  ['tag characters', 'a\u{e0041}', 'a\\u{e0041}'],
  ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
  ['an odd space', 'a\u2003b', 'a\\u{2003}b'],
  ['half a character', 'a\ud800b', 'a\\u{d800}b'],
])('%s is shown as an escape', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test.each([
  ['Hebrew', 'שלום עולם'],
  ['Arabic with digits', 'رقم ١٢٣'],
  ['Persian with its joiner', 'می\u200cخواهم'],
  ['Hindi with a joiner', 'क्\u200dष'],
  ['Japanese with its space', '日本\u3000語'],
  ['French with its spaces', 'Vraiment\u00a0?'],
  ['emoji of several', '👩\u200d👧 ❤\ufe0f 👍🏽'],
  ['lines and tabs', 'a\n\tb'],
])('%s stays as it is', (_, text) => {
  expect(visible(text)).toBe(text);
});

test('a line shows its breaks, and JSON keeps its value', () => {
  expect(visibleLine('a\nb\tc')).toBe('a\\nb\\tc');
  const value = { 'k\u202e': 'a\u009b\u{e0041}\n"\\' };
  expect(visibleJson(value)).toBe('{"k\\u202e":"a\\u009b\\udb40\\udc41\\n\\"\\\\"}');
  expect(JSON.parse(visibleJson(value, 2))).toEqual(value);
});

test('what a shell is shown is what it reads', () => {
  expect(shellQuote('ticket-77')).toBe('ticket-77');
  expect(shellQuote("Ann's $HOME")).toBe("'Ann'\\''s $HOME'");
  expect(shellQuote("a\u202e'b")).toBe("$'a\\xe2\\x80\\xae\\'b'");
});

test('times are spoken in their largest units', () => {
  const times = [0, 59_999, 61_000, 3_600_000, 5_400_000, 90_000_000, 864_000_000];
  expect(times.map(spokenMs)).toEqual(['0 s', '59 s', '1 min', '1 h', '1 h 30 min', '1 d 1 h', '10 d']);
  const now = Date.parse('2026-03-01T12:00:00Z');
  expect(spokenDeadline('2026-03-01T14:00:00Z', now)).toBe('in 2 h');
  expect(spokenDeadline('2026-03-01T11:59:59Z', now)).toBe('overdue');
});
