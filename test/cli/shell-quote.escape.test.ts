import { shellQuote } from '../../src/cli/shell-quote';

test('what a shell is shown is what it reads', () => {
  expect(shellQuote('ticket-77')).toBe('ticket-77');
  expect(shellQuote("Ann's $HOME")).toBe("'Ann'\\''s $HOME'");
  expect(shellQuote("a\u202e'b")).toBe("$'a\\xe2\\x80\\xae\\'b'");
});
