import type { Context } from 'hono';
import type { Fields } from './read-decision';

/** Fields of a posted form; `undefined` for a body that no form of ours sends. */
export async function readForm(c: Context): Promise<Fields | undefined> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return undefined;
  return Object.fromEntries(new URLSearchParams(await c.req.text()));
}
