import type { Readable } from 'node:stream';
import { visible } from '../../agent/visible-text';

/** Bytes that are kept. */
const MAX_BYTES = 2_048;

/**
 * Reads a stream to its end and keeps the last 2 kB of it. Gives them as text, with what a terminal would obey or hide as
 * escapes; the empty string where nothing came.
 */
export function lastOutput(stream: Readable): () => string {
  let kept = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]).subarray(-MAX_BYTES);
  });
  // Nobody misses what cannot be read.
  stream.on('error', () => undefined);
  return () => visible(kept.subarray(startOf(kept)).toString('utf8').replaceAll('\r\n', '\n').trim());
}

/** The first byte that is not the rest of a character. */
function startOf(bytes: Buffer): number {
  const first = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(0, first);
}
