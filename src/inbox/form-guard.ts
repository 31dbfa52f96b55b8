import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import type { ConfigSource } from '../config/config';
import { originOf } from './origin';
import type { Visit } from './session';

/** Name of the field that each form carries. */
export const TOKEN_FIELD = 'token';

/** Whether a form holds the token of this browser's session, which no other page can read. */
export function hasOwnToken(form: Readonly<Record<string, unknown>>, { token }: Visit): boolean {
  return token !== '' && isSame(form[TOKEN_FIELD], token);
}

/** Whether a post came from one of our own pages, as far as the browser says. */
export function comesFromHere(c: Context, config: ConfigSource): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  // Over plain HTTP browsers do not say it, and with `no-referrer` the origin of a form is `null`: the token decides.
  const origin = c.req.header('origin');
  return origin === undefined || origin === 'null' || origin === originOf(c, config);
}

function isSame(given: unknown, token: string): boolean {
  if (typeof given !== 'string') return false;
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
