import { createHash, randomUUID } from 'node:crypto';
import type { Payload } from '@temporalio/common';
import { encode } from '@temporalio/common/lib/encoding';
import { PayloadStoreCodec } from '../../src/temporal/payload-store';
import { MemoryStore } from '../data/memory-store';

const large = Buffer.alloc(70_000, 'x');
const payload = (data: Uint8Array, encoding = 'json/plain'): Payload => ({
  metadata: { encoding: encode(encoding) },
  data,
});

/** What a codec leaves in a history of one large payload. */
async function left(store: MemoryStore): Promise<Payload> {
  const [made] = await new PayloadStoreCodec(store).encode([payload(large)]);
  if (!made) throw new Error('Nothing was made');
  return made;
}

const forged: Readonly<Record<string, (made: Payload) => Payload>> = {
  'a key under which there is nothing': () => ({
    metadata: { encoding: encode('stored/sha256'), 'stored-encoding': encode('json/plain') },
    data: encode(createHash('sha256').update(randomUUID()).digest('hex')),
  }),
  'the key of an object, not signed': ({ metadata, data }) => ({
    metadata: {
      encoding: encode('stored/sha256'),
      'stored-encoding': metadata?.['stored-encoding'] ?? encode(''),
    },
    data: data ?? null,
  }),
  'a path, signed for another key': (made) => ({ ...made, data: encode('../../secrets') }),
  'another encoding than it was signed with': ({ metadata, data }) => ({
    metadata: { ...metadata, 'stored-encoding': encode('binary/plain') },
    data: data ?? null,
  }),
  'a signature of another length': ({ metadata, data }) => ({
    metadata: { ...metadata, 'stored-signature': encode('abc') },
    data: data ?? null,
  }),
  'an encoding that is no text': ({ metadata, data }) => ({
    metadata: { ...metadata, encoding: Buffer.from([0xff, 0xfe]) },
    data: data ?? null,
  }),
};

test.each(Object.keys(forged))('R30: %s is never looked for, and stays as it came', async (name) => {
  const store = new MemoryStore();
  const given = forged[name]?.(await left(store)) ?? {};
  store.onGet = () => Promise.reject(new Error('It was looked for'));
  expect(await new PayloadStoreCodec(store).decode([given])).toEqual([given]);
});

test('what was signed with a secret that is on its way out can still be read', async () => {
  const store = new MemoryStore();
  const made = await left(store);
  const next = Object.assign(new MemoryStore(), { secret: [randomUUID(), store.secret].flat() });
  for (const [key, data] of store.objects) next.objects.set(key, data);
  expect(await new PayloadStoreCodec(next).decode([made])).toEqual([payload(large)]);
  const without = Object.assign(new MemoryStore(), { secret: randomUUID() });
  expect(await new PayloadStoreCodec(without).decode([made])).toEqual([made]);
});

test('a secret is needed, and no error shows it', () => {
  for (const secret of [undefined, '', 'too short', [], ['too short'], 7]) {
    const made = () => new PayloadStoreCodec(Object.assign(new MemoryStore(), { secret: secret as string }));
    expect(made).toThrow(
      /^Expected `payloadStore.secret` to be a text of at least 32 characters, or several\.$/,
    );
  }
});
