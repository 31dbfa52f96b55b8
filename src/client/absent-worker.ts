import type { ClientContext } from './client-context';
import { nameOf, type Target } from './ids';
import { workersPolling } from './workers';

/** Long enough for a worker that is being replaced. */
const WARN_AFTER_MS = 10_000;

/** Where a client's warnings go. A pino logger is one. */
export interface ClientLogger {
  /** `fields` are for programs: `type`, `taskQueue`, `namespace`. */
  warn(fields: object, message: string): void;
}

/**
 * Warns when a call has gone on for a while and nobody polls the task queue of what it is about: most often
 * worker and client name different ones, and the wait would end much later. Once for each queue; looking costs
 * two requests. Gives what ends the watch.
 */
export function watchForWorker(context: ClientContext, operation: { readonly target?: Target }): () => void {
  let over = false;
  const look = async (): Promise<void> => {
    const { target } = operation;
    const workers = target && (await workersPolling(context, target));
    if (over || !workers || workers.count > 0 || context.warned.has(workers.taskQueue)) return;
    context.warned.add(workers.taskQueue);
    const { taskQueue } = workers;
    context.logger.warn(
      { type: 'Holdpoint.Client.NoWorker', taskQueue, namespace: context.namespace },
      `${nameOf(target)} waits, and no worker polls task queue "${taskQueue}": start one with createWorker, or give worker and client the same \`taskQueue\`.`,
    );
  };
  const timer = setTimeout(() => void look(), WARN_AFTER_MS).unref();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}

/** Node prints such a warning on standard error, unless it runs with `--no-warnings`. */
export const processLogger: ClientLogger = {
  warn: (_, message) =>
    process.emitWarning(message, { type: 'HoldpointWarning', code: 'Holdpoint.Client.NoWorker' }),
};
