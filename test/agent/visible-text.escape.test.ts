import { spokenDeadline, spokenMs } from '../../src/agent/spoken-time';
import { visible, visibleJson, visibleLine, visibleParts } from '../../src/agent/visible-text';

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

test('times are spoken in their largest units', () => {
  const times = [0, 59_999, 61_000, 3_600_000, 5_400_000, 90_000_000, 864_000_000];
  expect(times.map(spokenMs)).toEqual(['0 s', '59 s', '1 min', '1 h', '1 h 30 min', '1 d 1 h', '10 d']);
  const now = Date.parse('2026-03-01T12:00:00Z');
  expect(spokenDeadline('2026-03-01T14:00:00Z', now)).toBe('in 2 h');
  expect(spokenDeadline('2026-03-01T11:59:59Z', now)).toBe('overdue');
});

test('the parts of a text are the text, with what would be hidden apart', () => {
  const text = 'pay\u202epal, \u05e9\u05dc\u05d5\u05dd\n';
  expect(visibleParts(text)).toEqual([
    { text: 'pay', hidden: false },
    { text: '\\u{202e}', hidden: true },
    { text: 'pal, \u05e9\u05dc\u05d5\u05dd\n', hidden: false },
  ]);
});

test('padding that pushes a text out of sight is counted, ordinary spaces and indents are not', () => {
  expect(visibleParts(`rm${' '.repeat(300)}-rf`)).toEqual([
    { text: 'rm', hidden: false },
    { text: '[300 spaces]', hidden: true },
    { text: '-rf', hidden: false },
  ]);
  expect(visibleParts(`a${'\n'.repeat(40)}b`)).toContainEqual({ text: '[40 line breaks]', hidden: true });
  expect(visibleParts(`a${' \n'.repeat(20)}b`)).toContainEqual({
    text: '[20 line breaks, 20 spaces]',
    hidden: true,
  });
  const code = 'if (a) {\n        return b;\n}\n\n\nend';
  expect(visibleParts(code)).toEqual([{ text: code, hidden: false }]);
});
