import type { Context } from 'hono';
import type { ConfigSource } from '../config/config';

/** Where people reach this server: as configured, or as the request says. */
export function originOf(c: Context, config: ConfigSource): string {
  return new URL(config.current.publicUrl ?? c.req.url).origin;
}

export function isSecure(c: Context, config: ConfigSource): boolean {
  return originOf(c, config).startsWith('https:');
}
