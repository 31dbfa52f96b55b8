/** How long a tool may take to return once its budget has ended (R9). */
export const GRACE_MS = 1000;

export type Spent<T> = { readonly is: 'returned'; readonly value: T } | { readonly is: 'timedOut' };

/**
 * Runs work under a budget. Its signal aborts at the end of the budget or with `parent`; after the budget
 * it has one more second to return (R9). Without a budget (`timeoutMs` 0) it takes as long as it takes.
 */
export async function withinBudget<T>(
  work: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
  parent: AbortSignal,
): Promise<Spent<T>> {
  const controller = new AbortController();
  const passOn = () => controller.abort(parent.reason);
  if (parent.aborted) passOn();
  else parent.addEventListener('abort', passOn, { once: true });
  const timers: NodeJS.Timeout[] = [];
  const ended = new Promise<Spent<T>>((resolve) => {
    if (timeoutMs === 0) return;
    const onEnd = () => {
      controller.abort(new DOMException(`timed out after ${timeoutMs}ms`, 'TimeoutError'));
      timers.push(setTimeout(() => resolve({ is: 'timedOut' }), GRACE_MS));
    };
    timers.push(setTimeout(onEnd, timeoutMs));
  });
  const returned = work(controller.signal).then((value): Spent<T> => ({ is: 'returned', value }));
  try {
    return await Promise.race([returned, ended]);
  } finally {
    timers.forEach(clearTimeout);
    parent.removeEventListener('abort', passOn);
  }
}

/**
 * The work's value, or `undefined` when it has not come `waitMs` after the signal aborted: a tool that
 * ignores its signal must not hold up the end of its run (R34).
 */
export async function unlessAbandoned<T>(
  work: Promise<T>,
  signal: AbortSignal,
  waitMs: number,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let startTimer = () => {};
  const abandoned = new Promise<undefined>((resolve) => {
    startTimer = () => {
      timer = setTimeout(() => resolve(undefined), waitMs);
    };
  });
  if (signal.aborted) startTimer();
  else signal.addEventListener('abort', startTimer, { once: true });
  try {
    return await Promise.race([work, abandoned]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', startTimer);
  }
}
