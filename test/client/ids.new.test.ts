import { checkNewId } from '../../src/client/ids';
import { holdpointError } from '../support/matchers';

test('an id of one’s own may be in any language, up to what a server on PostgreSQL takes', () => {
  for (const id of ['order 1047', 'x'.repeat(200), '日'.repeat(66), 'שלום', '😀'])
    expect(checkNewId('runId', id)).toBe(id);
});

test.each([
  ['too many bytes', '日'.repeat(67)],
  ['a slash', 'a/b'],
  ['NUL, which PostgreSQL refuses only after long retries', 'a\0b'],
  ['a line break', 'a\nb'],
  ['what a path of a URL cannot hold', '..'],
  ['what sub-agents’ runs are called', 'agent-1-0'],
  ['half a character, which no message can carry', 'a\ud83d'],
])('an id is refused before it is sent, with what it must be: %s', (_, id) => {
  expect(() => checkNewId('conversationId', id)).toThrow(
    holdpointError(
      'Holdpoint.Client.InvalidOptions',
      /Expected `conversationId` to be a string of 1 to 200 characters without "\/" and control characters/,
    ),
  );
});
