import { pino } from 'pino';
import type { Logger, LogLevel, LogMetadata } from '@temporalio/common';

/** What `createWorker` needs of a logger. A pino logger is one; so is anything with these four methods. */
export interface WorkerLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Logs as JSON lines on standard error; level from `HOLDPOINT_LOG_LEVEL`, `info`, or `silent` under a test runner. */
export function defaultLogger(env: NodeJS.ProcessEnv = process.env): WorkerLogger {
  const level = env['HOLDPOINT_LOG_LEVEL'] ?? (env['NODE_ENV'] === 'test' ? 'silent' : 'info');
  return pino({ name: 'holdpoint', level }, pino.destination(2));
}

export function toTemporalLogger(logger: WorkerLogger): Logger {
  return toLogger((level, message, meta = {}) => {
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
