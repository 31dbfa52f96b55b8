import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import {
  METADATA_ENCODING_KEY,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
} from '@temporalio/common';
import { encode } from '@temporalio/common/lib/encoding';
import { isRecord } from '../agent/json';
import { REPLY_KEY } from './payload-converter';
import { steadilyRead, steadilyWritten } from './steady';

/** Where large payloads are kept, such as a bucket. What lies in it is needed as long as histories are kept. */
export interface PayloadStore {
  /**
   * Keeps bytes under a key of 64 hexadecimal digits. The same key always comes with the same bytes, also from several
   * processes at once. Resolves once they are safe. When it rejects, or takes 30 seconds, it is called again.
   */
  put(key: string, data: Uint8Array): Promise<void>;
  /** Gives what was put. Rejects where there is nothing under the key. Called again as `put` is. */
  get(key: string): Promise<Uint8Array>;
  /**
   * Signs the keys that are left in histories: what nobody with the secret has put is never looked for, and a message
   * that names it is refused like any other that cannot be read. At least 32 characters. Of several the first one
   * signs and all are known, so that a new one can be given to every worker before it signs.
   */
  readonly secret: string | readonly string[];
  /** Payloads of at least so many bytes go there. Default 131,072. */
  readonly thresholdBytes?: number;
}

const DEFAULT_THRESHOLD_BYTES = 131_072;
/** Of a reply to a query, which is in no history; the server takes 2 MiB. */
const REPLY_THRESHOLD_BYTES = 1_835_008;
const MIN_SECRET_LENGTH = 32;
const ENCODING = 'stored/sha256';
const STORED_ENCODING_KEY = 'stored-encoding';
const SIGNATURE_KEY = 'stored-signature';
const STORE = 'of the payload store';

/** Says what is wrong with a store, or `undefined`. */
export function storeProblem(store: unknown): string | undefined {
  const { put, get, secret, thresholdBytes } = isRecord(store) ? store : {};
  if (typeof put !== 'function' || typeof get !== 'function')
    return 'Expected `payloadStore` to be an object with the methods `put` and `get`.';
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  const isSecret = (one: unknown) => typeof one === 'string' && one.length >= MIN_SECRET_LENGTH;
  if (secrets.length === 0 || !secrets.every(isSecret))
    return `Expected \`payloadStore.secret\` to be a text of at least ${MIN_SECRET_LENGTH} characters, or several.`;
  if (thresholdBytes !== undefined && !(Number.isInteger(thresholdBytes) && Number(thresholdBytes) > 0))
    return 'Expected `payloadStore.thresholdBytes` to be a whole number of at least 1.';
  return undefined;
}

/**
 * Puts large payloads into a store, under the digest of their bytes, and leaves their key in the history. `codecs` are
 * those before it: what it stores is what they made of it, encrypted perhaps.
 *
 * A key that nobody signed stays as it came, whatever the store has: whether a message can be read must not change from
 * one replay to the next, and whoever may signal could otherwise stop a run by a key under which there is nothing (R30).
 */
export class PayloadStoreCodec implements PayloadCodec {
  private readonly secrets: readonly string[];

  /** Throws a TypeError for a store without methods or `secret`. */
  constructor(
    private readonly store: PayloadStore,
    private readonly codecs: readonly PayloadCodec[] = [],
  ) {
    const problem = storeProblem(store);
    if (problem !== undefined) throw new TypeError(problem);
    this.secrets = [store.secret].flat();
  }

  /** What Temporal calls before it sends payloads. */
  async encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    let encoded = payloads;
    for (const codec of this.codecs) encoded = await codec.encode(encoded, context);
    return Promise.all(
      encoded.map((payload, at) => {
        const { thresholdBytes = DEFAULT_THRESHOLD_BYTES } = this.store;
        const isReply = payloads[at]?.metadata?.[REPLY_KEY] !== undefined;
        return this.stored(payload, isReply ? REPLY_THRESHOLD_BYTES : thresholdBytes, context);
      }),
    );
  }

  /** What Temporal calls with payloads that it has received. */
  async decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    let decoded = await Promise.all(payloads.map((payload) => this.fetched(payload, context)));
    for (const codec of this.codecs.toReversed()) decoded = await codec.decode(decoded, context);
    return decoded;
  }

  private async stored(
    payload: Payload,
    fromBytes: number,
    context: SerializationContext | undefined,
  ): Promise<Payload> {
    const { data, metadata } = payload;
    const encoding = metadata?.[METADATA_ENCODING_KEY];
    if (!data || !encoding || data.byteLength < fromBytes) return payload;
    const key = keyOf(data);
    await steadilyWritten(`\`put\` ${STORE}`, context, () => this.store.put(key, data));
    const [secret = ''] = this.secrets;
    return {
      metadata: {
        ...metadata,
        [STORED_ENCODING_KEY]: encoding,
        [SIGNATURE_KEY]: signed(secret, key, encoding),
        [METADATA_ENCODING_KEY]: encode(ENCODING),
      },
      data: encode(key),
    };
  }

  private async fetched(payload: Payload, context: SerializationContext | undefined): Promise<Payload> {
    const { data, metadata } = payload;
    const { [STORED_ENCODING_KEY]: encoding, [SIGNATURE_KEY]: signature, ...rest } = metadata ?? {};
    if (!data || !encoding || !signature || !isText(rest[METADATA_ENCODING_KEY], ENCODING)) return payload;
    const key = Buffer.from(data).toString('latin1');
    const isOurs = this.secrets.some((secret) => isSame(signature, signed(secret, key, encoding)));
    if (!isOurs) return payload;
    const found = await steadilyRead(`\`get\` ${STORE}`, context, async () => {
      const got = await this.store.get(key);
      if (got instanceof Uint8Array && keyOf(got) === key) return got;
      throw new Error(`What it has under ${key} is not what was put there.`);
    });
    return { metadata: { ...rest, [METADATA_ENCODING_KEY]: encoding }, data: found };
  }
}

function keyOf(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function signed(secret: string, key: string, encoding: Uint8Array): Uint8Array {
  return createHmac('sha256', secret).update(`${ENCODING}\n${key}\n`, 'latin1').update(encoding).digest();
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}

/** By bytes: those of a sender need not be a text. */
function isText(bytes: Uint8Array | undefined, text: string): boolean {
  return bytes !== undefined && Buffer.from(bytes).equals(encode(text));
}
