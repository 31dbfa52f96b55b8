import { retryAfterMs } from '../../src/models/retry-after';

const NOW = Date.parse('1994-11-06T08:49:00Z');
const read = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), NOW);

describe('R37: how long to wait', () => {
  it.each([
    ['seconds', { 'retry-after': '120' }, 120_000],
    ['no time at all', { 'retry-after': '0' }, 0],
    ['parts of a second', { 'retry-after': ' 1.5 ' }, 1_500],
    ['milliseconds before seconds', { 'retry-after-ms': '20', 'retry-after': '120' }, 20],
    ['an HTTP date', { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, 37_000],
    ['an HTTP date of the second form', { 'retry-after': 'Sunday, 06-Nov-94 08:49:37 GMT' }, 37_000],
    ['an HTTP date of the third form', { 'retry-after': 'Sun Nov  6 08:49:37 1994' }, 37_000],
    ['a date that has passed', { 'retry-after': 'Sun, 06 Nov 1994 08:48:00 GMT' }, 0],
  ])('%s', (_title, headers, expected) => {
    expect(read(headers)).toBe(expected);
  });

  it.each([
    ['no header', {}],
    ['an empty header', { 'retry-after': '' }],
    ['a word', { 'retry-after': 'soon' }],
    ['a word and a number', { 'retry-after': 'retry 5' }],
    ['a negative number', { 'retry-after': '-5' }],
    ['a number that is none', { 'retry-after-ms': 'NaN' }],
    ['a date without a day', { 'retry-after': 'Sun, soon' }],
  ])('%s says nothing', (_title, headers) => {
    expect(read(headers)).toBeUndefined();
  });
});
