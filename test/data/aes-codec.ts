import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { METADATA_ENCODING_KEY, type Payload, type PayloadCodec } from '@temporalio/common';
import { decode, encode } from '@temporalio/common/lib/encoding';

const ENCODING = 'binary/encrypted';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts the data of each payload, the name of its encoding before it. What was written without it stays, and so does
 * what somebody else wrote.
 */
export function aesCodec(key: Uint8Array): PayloadCodec {
  return {
    encode: (payloads) => Promise.resolve(payloads.map((payload) => sealed(payload, key))),
    decode: (payloads) => Promise.resolve(payloads.map((payload) => opened(payload, key))),
  };
}

const nameOf = ({ metadata }: Payload): string => decode(metadata?.[METADATA_ENCODING_KEY] ?? encode(''));
const named = (encoding: string, data: Uint8Array): Payload => ({
  metadata: { [METADATA_ENCODING_KEY]: encode(encoding) },
  data,
});

function sealed(payload: Payload, key: Uint8Array): Payload {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const text = Buffer.concat([encode(`${nameOf(payload)}\n`), payload.data ?? encode('')]);
  return named(ENCODING, Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]));
}

function opened(payload: Payload, key: Uint8Array): Payload {
  if (!payload.data || nameOf(payload) !== ENCODING) return payload;
  const data = Buffer.from(payload.data);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(0, IV_BYTES));
    decipher.setAuthTag(data.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(data.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    const end = text.indexOf('\n');
    return named(text.subarray(0, end).toString(), text.subarray(end + 1));
  } catch {
    return payload;
  }
}
