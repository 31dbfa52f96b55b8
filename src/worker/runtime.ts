import { IllegalStateError, type Logger } from '@temporalio/common';
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { toTemporalLogger, type WorkerLogger } from './logger';

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
