import { isNativeError } from 'node:util/types';
import { pino } from 'pino';
import type { Logger, LogLevel, LogMetadata } from '@temporalio/common';
import { errorMessage } from '../agent/errors';

/** What `createWorker` needs of a logger. A pino logger is one; so is anything with these four methods. */
export interface WorkerLogger {
  /** Steps of single activities and of the SDK. */
  debug(fields: object, message: string): void;
  /** Starts and ends of the worker. */
  info(fields: object, message: string): void;
  /** What failed and is tried again. */
  warn(fields: object, message: string): void;
  /** What somebody must look at. */
  error(fields: object, message: string): void;
}

/** Characters that are kept until they can be written. */
const MAX_UNWRITTEN = 1_000_000;

/** Logs as JSON lines on standard error; level from `HOLDPOINT_LOG_LEVEL`, `info`, or `silent` under a test runner. */
export function defaultLogger(env: NodeJS.ProcessEnv = process.env): WorkerLogger {
  const level = env['HOLDPOINT_LOG_LEVEL'] ?? (env['NODE_ENV'] === 'test' ? 'silent' : 'info');
  const lines = pino.destination({ dest: 2, sync: true, maxLength: MAX_UNWRITTEN });
  // A full disk, or a terminal that is gone: nothing that is under way ends for want of a log.
  lines.on('error', () => undefined);
  return pino({ name: 'holdpoint', level }, lines);
}

export function toTemporalLogger(logger: WorkerLogger): Logger {
  return toLogger((level, message, given = {}) => {
    const meta = withPlainError(given);
    switch (level) {
      case 'TRACE':
      case 'DEBUG':
        return logger.debug(meta, message);
      case 'INFO':
        return logger.info(meta, message);
      case 'WARN':
        return logger.warn(meta, message);
      case 'ERROR':
        return logger.error(meta, message);
    }
  });
}

/**
 * An error as a log line can hold it. Left as it is, most loggers write an SDK's error without its message, and
 * with its details, where a program finds values that no log may have (R11).
 */
function withPlainError(meta: LogMetadata): LogMetadata {
  const { error } = meta;
  // Not by its class: those of workflows come from another realm.
  return isNativeError(error) ? { ...meta, error: toLogged(error) } : meta;
}

function toLogged(error: Error): object {
  const type = 'type' in error && typeof error.type === 'string' ? error.type : error.name;
  return {
    type,
    message: errorMessage(error),
    // The message of an error of ours says what to do; of any other the place may have to tell.
    ...(!type.startsWith('Holdpoint.') && { stack: error.stack }),
  };
}

/** Temporal's logger with all its methods, from the one that does the work. */
export function toLogger(log: (level: LogLevel, message: string, meta?: LogMetadata) => void): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, meta?: LogMetadata): void =>
      log(level, message, meta);
  return {
    log,
    trace: at('TRACE'),
    debug: at('DEBUG'),
    info: at('INFO'),
    warn: at('WARN'),
    error: at('ERROR'),
  };
}
