import { errorMessage } from '../agent/errors';
import type { Config, ConfigSource } from './config';
import { emptyConfig, parseConfig, readConfigText } from './read-config';
import type { Environment } from './secret';

/** Polled: a watch of the file misses the symbolic links that cluster volumes are updated by. */
const POLL_MS = 1_000;

/** Where it is told that a new version was taken, or why not. A pino logger is one. */
export interface ConfigLogger {
  /** A new version is in use. */
  info(fields: object, message: string): void;
  /** A new version is not valid. */
  warn(fields: object, message: string): void;
}

/** A configuration that follows its file. */
export interface LiveConfig extends ConfigSource {
  /** Looks at the file now. Never throws: a version that is not valid is told to the logger, and the old one stays. */
  reload(): Promise<void>;
  /** Called with each new version. Gives what ends that. */
  onChange(listener: (config: Config) => void): () => void;
  /** Looks at the file no more. */
  close(): void;
}

/** A configuration that never changes. */
export function fixedConfig(config: Config = emptyConfig()): ConfigSource {
  return { current: config };
}

/**
 * Reads the file and goes on looking at it. Throws `Holdpoint.Config.Unreadable` or `Holdpoint.Config.Invalid` when
 * the first version is not valid.
 */
export async function openConfig(
  path: string,
  options: { readonly env?: Environment; readonly logger?: ConfigLogger; readonly pollMs?: number } = {},
): Promise<LiveConfig> {
  const { env = process.env, logger, pollMs = POLL_MS } = options;
  let text = await readConfigText(path);
  let current = parseConfig(text, path, env);
  const listeners = new Set<(config: Config) => void>();
  // Told once, however often it is read.
  let told: string | undefined;

  const reload = async (): Promise<void> => {
    try {
      const read = await readConfigText(path);
      if (read === text) return;
      current = parseConfig(read, path, env);
      text = read;
      told = undefined;
      logger?.info({ path }, 'The configuration has changed and is in use.');
      for (const listener of listeners) listener(current);
    } catch (error) {
      const problem = errorMessage(error);
      if (problem === told) return;
      told = problem;
      logger?.warn({ path }, `The configuration that was read before stays in use. ${problem}`);
    }
  };
  const timer = setInterval(() => void reload(), pollMs).unref();
  return {
    get current() {
      return current;
    },
    reload,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => clearInterval(timer),
  };
}
