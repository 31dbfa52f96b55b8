import { playExample } from './play-example';

test('typed tools are called by their definitions, and asked of a person in runs, by a server and without', async () => {
  const { failure, output } = await playExample('mcp');
  expect(output).toMatch(/client\.ts\nHello, Ada!\nMon Mar 01 2027: 4 guests/);
  expect(output).toMatch(
    /ask\.ts guest-host\n[^]*book of greetings asks: For how many is the table\?\n[^]*Hello, Ada! \{"day":"2027-03-01","guests":4\}/,
  );
  expect(output).toMatch(/ask\.ts host\n[^]*book asks: For how many is the table\?\n[^]*"guests":4/);
  expect(failure).toBeUndefined();
}, 240_000);
