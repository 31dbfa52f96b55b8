import { isAmount } from '../agent/progress';

/** How far a call is. */
export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Reports progress while the call runs, and nothing once it is closed. */
export interface ProgressReporter {
  report(progress: number, total?: number, message?: string): void;
  close(): void;
}

/**
 * Passes on what tells a client more than the report before: `progress` grows, and is neither negative nor
 * infinite. A `total` that is no such number is left out. A failure to send is nobody's concern.
 */
export function progressReporter(
  send: ((report: ProgressReport) => void | Promise<void>) | undefined,
): ProgressReporter {
  let last = -1;
  let open = send !== undefined;
  return {
    report(progress, total, message) {
      if (!open || !isAmount(progress) || progress <= last) return;
      last = progress;
      const report = {
        progress,
        ...(isAmount(total) && { total }),
        ...(typeof message === 'string' && { message }),
      };
      void quietly(() => send?.(report));
    },
    close() {
      open = false;
    },
  };
}

/** A client that cannot be told is no failure of the call. */
async function quietly(tell: () => void | Promise<void>): Promise<void> {
  try {
    await tell();
  } catch {
    return;
  }
}
