import { z } from 'zod';

/** Where secrets that the file only names are read from. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** For who edits the file: the secrets that it names in the environment are the server's business. */
export const UNREAD = 'unread';
/** Stands for a secret that was not read. */
const UNKNOWN_SECRET = '\u0000';

const MIN_SIGNING_BYTES = 32;
/** As Standard Webhooks asks for. */
const MIN_WEBHOOK_BYTES = 24;
const STANDARD_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** A text, or `{"env": "NAME"}` for one that the environment holds. No message ever shows the value. */
export function secretSchema(env: Environment | typeof UNREAD) {
  const fromEnv = z.strictObject({ env: z.string().min(1) });
  return z
    .union([z.string().min(1), fromEnv], {
      error: 'Expected a non-empty string, or {"env": "NAME"} to read it from the environment.',
    })
    .transform((given, context) => {
      if (typeof given === 'string') return given;
      if (env === UNREAD) return UNKNOWN_SECRET;
      const value = env[given.env];
      if (value !== undefined && value !== '') return value;
      context.issues.push({
        code: 'custom',
        message: `The environment variable ${given.env} is not set.`,
        input: given,
      });
      return z.NEVER;
    });
}

/** A key of at least 32 bytes, written in base64. */
export function signingSecret(env: Environment | typeof UNREAD) {
  return secretSchema(env).transform((text, context) => {
    if (env === UNREAD && text === UNKNOWN_SECRET) return new Uint8Array();
    const bytes = bytesOf(text);
    if (bytes && bytes.length >= MIN_SIGNING_BYTES) return bytes;
    context.issues.push({
      code: 'custom',
      message: `Expected at least ${MIN_SIGNING_BYTES} random bytes in base64. Make them with \`openssl rand -base64 32\`.`,
      input: undefined,
    });
    return z.NEVER;
  });
}

/** A secret as Standard Webhooks writes it. */
export function webhookSecret(env: Environment | typeof UNREAD) {
  return secretSchema(env).refine((text) => {
    if (env === UNREAD && text === UNKNOWN_SECRET) return true;
    const base64 = text.startsWith('whsec_') ? text.slice('whsec_'.length) : '';
    // As receivers of the standard read it: neither the spelling for URLs nor one without its padding.
    return STANDARD_BASE64.test(base64) && Buffer.from(base64, 'base64').length >= MIN_WEBHOOK_BYTES;
  }, `Expected whsec_ and at least ${MIN_WEBHOOK_BYTES} random bytes in base64.`);
}

function bytesOf(base64: string): Uint8Array | undefined {
  return BASE64.test(base64) ? new Uint8Array(Buffer.from(base64, 'base64')) : undefined;
}
