import { onStopSignal, type StopSignal } from '../process/stop-signal';

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM'];

let running = 0;
let stopListening = (): void => undefined;

/**
 * Waits for a worker's run. Temporal listens for one signal and no more, so that its echo would end the process, and
 * with it the calls that the first has left time to. Signals that nobody listens for stay as they are.
 */
export async function gracefulRun(run: Promise<void>): Promise<void> {
  if (running++ === 0) {
    const names = SIGNALS.filter((name) => process.listenerCount(name) > 0);
    stopListening = onStopSignal(names, () => undefined);
  }
  try {
    await run;
  } finally {
    if (--running === 0) stopListening();
  }
}
