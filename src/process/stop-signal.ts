/** Signals that ask a process to stop. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
 * The terminal sends Ctrl-C to every process of its group, and npm, which is one of them, passes it on to those that
 * it started: one press, and two signals. One that comes sooner after the first is taken for such an echo.
 */
const ECHO_MS = 1_000;

/**
 * Calls `first` at the first of the signals, and `again` at each later one, echoes aside. Without `again` a later one
 * ends the process, as if nobody listened. Returns what stops listening, after the echoes of a signal that has come.
 */
export function onStopSignal(
  names: readonly StopSignal[],
  first: () => void,
  again?: () => void,
): () => void {
  let state: 'waiting' | 'echoing' | 'heard' = 'waiting';
  let listens = again !== undefined;
  const off = (): void => {
    for (const name of names) process.off(name, hear);
  };
  const hear = (): void => {
    if (state === 'heard') again?.();
    if (state !== 'waiting') return;
    state = 'echoing';
    const over = (): void => {
      state = 'heard';
      if (!listens) off();
    };
    setTimeout(over, ECHO_MS).unref();
    first();
  };
  for (const name of names) process.on(name, hear);
  return () => {
    listens = false;
    if (state !== 'echoing') off();
  };
}
