import type { Context } from 'hono';
import type { InboxOptions } from './options';

/** Where people reach this server: as configured, or as the request says. */
export function originOf(c: Context, { publicUrl }: Pick<InboxOptions, 'publicUrl'>): string {
  return new URL(publicUrl ?? c.req.url).origin;
}

export function isSecure(c: Context, options: Pick<InboxOptions, 'publicUrl'>): boolean {
  return originOf(c, options).startsWith('https:');
}
