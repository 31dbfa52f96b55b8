import { createClient } from 'holdpoint/client';
import { testServer } from '../support/test-server';
import { playExample } from './play-example';

test('a conversation that one process began is answered and gone on with by others', async () => {
  const { failure, output } = await playExample('conversation');
  const [, customer = ''] = /ask\.ts (customer-\w+) /.exec(output) ?? [];
  const steps = [
    `${customer}/1 waits: relay tool call ask_guide to the caller for execution`,
    `${customer}/1 is done: The guide says: Yes, at nine at the hut.`,
    // The second ask knows what the first one heard.
    `${customer}/2 is done: As I said: Yes, at nine at the hut.`,
  ];
  for (const step of steps) expect(output).toContain(step);
  expect(failure).toBeUndefined();

  const { address, namespace } = testServer();
  await using client = await createClient({ address, namespace });
  const listed = await client.list({ agent: 'tours' });
  expect(listed.map(({ conversationId }) => conversationId)).toContain(customer);
}, 240_000);
