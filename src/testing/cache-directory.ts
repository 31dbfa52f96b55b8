import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where servers that were built or downloaded are kept between runs: `$HOLDPOINT_CACHE_DIR`, else
 * `$XDG_CACHE_HOME/holdpoint`, else `~/.cache/holdpoint`. It may be deleted at any time.
 */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  if (env.HOLDPOINT_CACHE_DIR) return env.HOLDPOINT_CACHE_DIR;
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdpoint');
}
