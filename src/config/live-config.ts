import { errorMessage } from '../agent/errors';
import type { Config, ConfigSource } from './config';
import { emptyConfig, parseConfig, readConfigText } from './read-config';
import type { Environment } from './secret';

/** Polled: a watch of the file misses the symbolic links that cluster volumes are updated by. */
const POLL_MS = 1_000;
/** A key that was revoked in a version that is not valid is still taken, so nobody should miss it. */
const REMIND_MS = 60_000;

/** Where it is told that a new version was taken, or why not. A pino logger is one. */
export interface ConfigLogger {
  /** A new version is in use. */
  info(fields: object, message: string): void;
  /** The file cannot be read or is not valid; told again each minute for as long as that lasts. */
  error(fields: object, message: string): void;
}

/** A configuration that follows its file. */
export interface LiveConfig extends ConfigSource {
  /** Looks at the file now. Never throws: of a version that is not valid `problem` and the logger tell, and the old one stays. */
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
  options: {
    readonly env?: Environment;
    readonly logger?: ConfigLogger;
    /** Milliseconds between two looks at the file. Default 1,000. */
    readonly pollMs?: number;
    /** Milliseconds after which a problem that is still there is told again. Default 60,000. */
    readonly remindMs?: number;
  } = {},
): Promise<LiveConfig> {
  const { env = process.env, logger, pollMs = POLL_MS, remindMs = REMIND_MS } = options;
  let text = await readConfigText(path);
  let current = parseConfig(text, path, env);
  const listeners = new Set<(config: Config) => void>();
  let told: { readonly problem: string; readonly at: number } | undefined;

  const look = async (): Promise<void> => {
    try {
      const read = await readConfigText(path);
      if (read === text) {
        if (told) logger?.info({ path }, 'The configuration is again what is in use.');
        told = undefined;
        return;
      }
      current = parseConfig(read, path, env);
      text = read;
      told = undefined;
      logger?.info({ path }, 'The configuration has changed and is in use.');
      for (const listener of listeners) listener(current);
    } catch (error) {
      const problem = errorMessage(error);
      if (problem === told?.problem && Date.now() - told.at < remindMs) return;
      told = { problem, at: Date.now() };
      logger?.error(
        { path },
        `The configuration that was read before stays in use, keys that were revoked since among it. ${problem}`,
      );
    }
  };
  // One after the other: of two looks at once the older could have the last word.
  let looked = Promise.resolve();
  const reload = (): Promise<void> => (looked = looked.then(look));
  const timer = setInterval(() => void reload(), pollMs).unref();
  return {
    get current() {
      return current;
    },
    get problem() {
      return told?.problem;
    },
    reload,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => clearInterval(timer),
  };
}
