import { playExample } from './play-example';

test('translate makes one provider call at a time; the loop, the tools and the messages are the caller’s', async () => {
  const { failure, output } = await playExample('translate');
  expect(output.split('\n')).toEqual([
    // The provider said `stop`.
    'tool_calls: [{"id":"c1","name":"distance","arguments":"{\\"from\\":\\"Bern\\",\\"to\\":\\"Zermatt\\"}"}]',
    'stop: By train it is this far: Bern to Zermatt: 132 km.',
  ]);
  expect(failure).toBeUndefined();
}, 120_000);

test('an example that is not there is refused, with those that are', async () => {
  const { failure, output } = await playExample('brwoser');
  expect(output).toBe(
    'Usage: npm run example <name>, where <name> is one of: browser, conversation, embedded, in-process, mcp, translate',
  );
  expect(failure).toBe('ended with exit code 2');
}, 60_000);
