import type { ConfigSource } from '../../config/config';
import { DEFAULT_CONFIG_FILE } from '../../config/read-config';
import { shellQuote } from '../shell-quote';

/** Nothing is open by default: without a key every call but the health checks is refused. */
export function isClosed({ current: { keys, jwt } }: ConfigSource): boolean {
  return keys.length === 0 && jwt.length === 0;
}

/** What to type when nobody has a key. `path` is the configuration that is served, if there is one. */
export function howToOpen(path: string | undefined): string {
  const file = shellQuote(path ?? DEFAULT_CONFIG_FILE);
  const restart = path === undefined ? ' and start the server again' : '';
  return `No keys are configured, so every call is refused. Make one with \`holdpoint keys create --name me --scope runs:read runs:write requests:read requests:answer --config ${file}\`${restart}.`;
}
