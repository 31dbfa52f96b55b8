import { aesCodec } from '../data/aes-codec';

/** What `--data-options` is given: a codec with a key that nobody needs to keep. */
export const payloadCodecs = [aesCodec(Buffer.alloc(32, 7))];
