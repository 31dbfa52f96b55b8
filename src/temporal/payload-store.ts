import { createHash } from 'node:crypto';
import { METADATA_ENCODING_KEY, type Payload, type PayloadCodec } from '@temporalio/common';
import { decode, encode } from '@temporalio/common/lib/encoding';
import { errorMessage } from '../agent/errors';

/** Where large payloads are kept, such as a bucket. What lies in it is needed as long as histories are kept. */
export interface PayloadStore {
  /**
   * Keeps bytes under a key of 64 hexadecimal digits. The same key always comes with the same bytes, also from several
   * processes at once. Resolves once they are safe. When it rejects it is called again, at most four times.
   */
  put(key: string, data: Uint8Array): Promise<void>;
  /** Gives what was put. Rejects where there is nothing under the key. */
  get(key: string): Promise<Uint8Array>;
  /** Payloads of at least so many bytes go there. Default 131,072. */
  readonly thresholdBytes?: number;
}

const DEFAULT_THRESHOLD_BYTES = 131_072;
const ENCODING = encode('stored/sha256');
const STORED_ENCODING_KEY = 'stored-encoding';
const FIRST_PAUSE_MS = 100;
const TRIES = 5;

/**
 * Puts large payloads into a store, under the digest of their bytes, and leaves their key in the history. To be the
 * last of a worker's or client's codecs: what it stores is then what the others made of it, encrypted perhaps.
 */
export class PayloadStoreCodec implements PayloadCodec {
  constructor(private readonly store: PayloadStore) {}

  encode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.all(payloads.map((payload) => this.stored(payload)));
  }

  decode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.all(payloads.map((payload) => this.fetched(payload)));
  }

  private async stored(payload: Payload): Promise<Payload> {
    const { data, metadata } = payload;
    const encoding = metadata?.[METADATA_ENCODING_KEY];
    const { thresholdBytes = DEFAULT_THRESHOLD_BYTES } = this.store;
    if (!data || !encoding || data.byteLength < thresholdBytes) return payload;
    const key = keyOf(data);
    await persistently(() => this.store.put(key, data));
    return {
      metadata: { ...metadata, [STORED_ENCODING_KEY]: encoding, [METADATA_ENCODING_KEY]: ENCODING },
      data: encode(key),
    };
  }

  private async fetched(payload: Payload): Promise<Payload> {
    const { data, metadata } = payload;
    const { [STORED_ENCODING_KEY]: encoding, ...rest } = metadata ?? {};
    if (!data || !encoding || decode(rest[METADATA_ENCODING_KEY] ?? encode('')) !== decode(ENCODING))
      return payload;
    const key = decode(data);
    const found = await this.store.get(key);
    if (keyOf(found) !== key)
      throw new Error(`What the payload store has under ${key} is not what was put there.`);
    return { metadata: { ...rest, [METADATA_ENCODING_KEY]: encoding }, data: found };
  }
}

function keyOf(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The result of a call that ran cannot be made again, so a store that is away for a moment must not lose it. */
async function persistently(put: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried += 1)
    try {
      return await put();
    } catch (cause) {
      if (tried === TRIES)
        throw new Error(`The payload store took nothing in ${TRIES} tries: ${errorMessage(cause)}`, {
          cause,
        });
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** tried));
    }
}
