/** What `withDeadline` gives its work. */
export interface Deadline {
  /** Aborts with the outer signal, or at the deadline. */
  readonly signal: AbortSignal;
  /** True once the deadline, and not the outer signal, ended the work. */
  passed(): boolean;
}

/** Runs `work` under a signal of its own, which the outer signal or the end of `ms` milliseconds aborts. */
export async function withDeadline<T>(
  outer: AbortSignal,
  ms: number,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const inner = new AbortController();
  let passed = false;
  const onAbort = (): void => inner.abort(outer.reason);
  outer.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => {
    passed = !outer.aborted;
    inner.abort();
  }, ms);
  try {
    return await work({ signal: inner.signal, passed: () => passed });
  } finally {
    clearTimeout(timer);
    // A run's signal outlives many model calls.
    outer.removeEventListener('abort', onAbort);
  }
}
