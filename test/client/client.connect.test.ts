import { Connection } from '@temporalio/client';
import { relayAnswer } from '../../src';
import { createClient } from '../../src/client';
import { freePort } from '../../src/testing';
import { holdpointError } from '../support/matchers';
import { openProxy } from '../support/proxy';
import { testServer } from '../support/test-server';
import { until } from '../support/until';
import { newId } from './desk';

test('no server at the address: an error within seconds that names the address and what to do', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const began = Date.now();
  await expect(createClient({ address })).rejects.toEqual(
    holdpointError('Holdpoint.Client.Unreachable', new RegExp(`${address}.*Start one.*TEMPORAL_ADDRESS`), {
      address,
    }),
  );
  expect(Date.now() - began).toBeLessThan(15_000);
});

test('unknown and clashing options are refused before anything is connected', async () => {
  const { address } = testServer();
  const connection = Connection.lazy({ address });
  const invalid = (message: RegExp): Error => holdpointError('Holdpoint.Client.InvalidOptions', message);
  await expect(createClient({ adress: address } as never)).rejects.toEqual(invalid(/adress.*address/));
  await expect(createClient({ connection, address })).rejects.toEqual(invalid(/leave address out/));
  await expect(createClient({ taskQueue: '' })).rejects.toEqual(invalid(/taskQueue/));
  await expect(createClient({ searchAttributes: 'some' as never })).rejects.toEqual(invalid(/full or none/));
  await connection.close();
});

test.each(['http://127.0.0.1:7233', '127.0.0.1:7233/', '::1:7233', 'host:port', 'host:70000'])(
  'the address %s is refused: addresses are host:port',
  async (address) => {
    const invalid = (message: RegExp): Error =>
      holdpointError('Holdpoint.Client.InvalidOptions', message, { address });
    await expect(createClient({ address })).rejects.toEqual(invalid(/^Expected `address` to be host:port/));
    const before = process.env;
    process.env = { ...before, TEMPORAL_ADDRESS: address };
    try {
      await expect(createClient()).rejects.toEqual(invalid(/address in TEMPORAL_ADDRESS .* host:port/));
    } finally {
      process.env = before;
    }
  },
);

test('a namespace that does not exist is named by the first call', async () => {
  const { address } = testServer();
  await using client = await createClient({ address, namespace: 'nowhere' });
  await expect(client.start('desk', 'x')).rejects.toEqual(
    holdpointError('Holdpoint.Client.InvalidOptions', /no namespace "nowhere"/),
  );
});

test('a connection that was given stays open when the client is through with it', async () => {
  const { address, namespace } = testServer();
  const connection = await Connection.connect({ address });
  const client = await createClient({ connection, namespace });
  await client.disconnect();
  await expect(connection.workflowService.getSystemInfo({})).resolves.toBeDefined();
  await connection.close();
});

test('a client that disconnects while a request is to be repeated: the request fails, and nothing else does', async () => {
  const { namespace } = testServer();
  const proxy = await openProxy();
  const client = await createClient({ address: proxy.address, namespace });
  try {
    proxy.cut();
    const refused = Array.from({ length: 20 }, () =>
      expect(client.list()).rejects.toEqual(holdpointError('Holdpoint.Client.Unreachable', / was closed/)),
    );
    await until('it was tried again', () => proxy.refused() > 1);
    // The clock is set forward, as it is when a machine comes back from a pause.
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 5_000);
    await Promise.all([client.disconnect(), client.disconnect()]);
    await Promise.all(refused);
  } finally {
    jest.restoreAllMocks();
    proxy.close();
  }
});

test('a client that was disconnected says so, whatever it is asked', async () => {
  const { address, namespace } = testServer();
  const client = await createClient({ address, namespace });
  await client.disconnect();
  const calls = [
    client.start('desk', 'x'),
    client.get(newId()),
    client.list(),
    client.requests(),
    client.cancel(newId()),
    client.answer(newId(), relayAnswer(newId(), [])),
    client.ask('desk', newId(), 'x'),
  ];
  const closed = holdpointError('Holdpoint.Client.Unreachable', /was closed.*Make a client anew/, {
    address,
  });
  await Promise.all(calls.map((call) => expect(call).rejects.toEqual(closed)));
});

test('R45: translate needs a model, of the client or of the request', async () => {
  const { address } = testServer();
  await using client = await createClient({
    address,
    model: {
      generate: async ({ messages }) => ({
        text: `${messages.length}`,
        toolCalls: [],
        finishReason: 'stop',
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        model: 'm',
      }),
    },
  });
  const request = { messages: [{ role: 'user', content: 'x' }] } as const;
  await expect(client.translate(request)).resolves.toMatchObject({ text: '1', finishReason: 'stop' });
  await using bare = await createClient({ address });
  await expect(bare.translate(request)).rejects.toEqual(
    holdpointError('Holdpoint.Client.InvalidOptions', /No model to translate with/),
  );
});
