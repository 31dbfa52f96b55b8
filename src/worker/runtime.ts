import { pino } from 'pino';
import { IllegalStateError, type Logger, type LogLevel, type LogMetadata } from '@temporalio/common';
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';

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
  return pino({ name: 'holdpoint', level: level }, pino.destination(2));
}

/**
 * Gives the process's Temporal runtime our logger. There is one runtime a process: where the program has
 * installed its own, that one stays. Temporal ends it with its last worker, so each new worker asks again.
 */
export function installRuntime(logger: WorkerLogger): Logger {
  const forwarding = toTemporalLogger(logger);
  try {
    Runtime.install({
      logger: forwarding,
      telemetryOptions: {
        logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
      },
    });
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error;
  }
  return forwarding;
}

export function toTemporalLogger(logger: WorkerLogger): Logger {
  const log = (level: LogLevel, message: string, meta: LogMetadata = {}): void => {
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
  };
  return {
    log,
    trace: (message, meta) => log('TRACE', message, meta),
    debug: (message, meta) => log('DEBUG', message, meta),
    info: (message, meta) => log('INFO', message, meta),
    warn: (message, meta) => log('WARN', message, meta),
    error: (message, meta) => log('ERROR', message, meta),
  };
}
