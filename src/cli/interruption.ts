import { onStopSignal } from '../process/stop-signal';
import { interrupted } from './command-error';

/** A signal that aborts at the first Ctrl-C; the second one ends the process as if there were no handler. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** What goes on without us, for the message. */
  goesOn(text: string): void;
  [Symbol.dispose](): void;
}

export function onInterrupt(): Interruption {
  const controller = new AbortController();
  let text: string | undefined;
  const abort = (): void => controller.abort(interrupted(text));
  const off = onStopSignal(['SIGINT', 'SIGTERM'], abort);
  return {
    signal: controller.signal,
    goesOn: (what) => (text = what),
    [Symbol.dispose]: off,
  };
}
