import type { Json } from '../agent/json';
import type { BoundTool, RoundOutcome } from './bound-tool';
import type { Call } from './call';
import { progressReporter, type ProgressReport } from './progress';

/** How long one round may take, and how long a handler may take to return after it was told to stop. */
export interface InvocationLimits {
  /** Milliseconds; 0 for no limit. Default 30,000. */
  readonly timeoutMs?: number;
  /** Milliseconds. Default 5,000. */
  readonly graceMs?: number;
}

/** What a transport knows of one invocation. */
export interface Invocation<Context> extends Omit<
  Call<Context>,
  'invocationId' | 'signal' | 'reportProgress'
> {
  /** Aborts when the client went away, cancelled, or the server shuts down. */
  readonly signal: AbortSignal;
  /** Undefined where the client gave no progress token. */
  readonly sendProgress?: (report: ProgressReport) => void | Promise<void>;
  /** Told what went wrong inside a handler, for your logs. */
  readonly report?: (failure: unknown) => void;
}

/** The end of an invocation: what the round came to, or that nothing of it is used. */
export type Invoked = RoundOutcome | { readonly kind: 'stopped'; readonly why: 'cancelled' | 'timeout' };

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_GRACE_MS = 5_000;

let invocations = 0;

/**
 * Runs one round of a call. When the time is over or the invocation's signal aborts, the handler's signal
 * aborts once, and what it returns within the grace period still counts.
 */
export async function invoke<Context>(
  tool: BoundTool<Context>,
  args: Json,
  { signal, sendProgress, report, ...known }: Invocation<Context>,
  { timeoutMs = DEFAULT_TIMEOUT_MS, graceMs = DEFAULT_GRACE_MS }: InvocationLimits = {},
): Promise<Invoked> {
  const progress = progressReporter(sendProgress);
  const stop = timeoutMs > 0 ? AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) : signal;
  invocations += 1;
  const call: Call<Context> = {
    ...known,
    invocationId: invocations,
    signal: stop,
    reportProgress: (...told) => progress.report(...told),
  };
  const stopped = afterGrace(stop, graceMs);
  try {
    const round = tool.runRound(call, args, report);
    return await Promise.race([
      round,
      stopped.over.then((): Invoked => ({ kind: 'stopped', why: signal.aborted ? 'cancelled' : 'timeout' })),
    ]);
  } finally {
    stopped.forget();
    progress.close();
  }
}

/** Resolves `graceMs` after `signal` aborts. */
function afterGrace(
  signal: AbortSignal,
  graceMs: number,
): { readonly over: Promise<void>; readonly forget: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let begin: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    begin = () => {
      timer = setTimeout(resolve, graceMs);
    };
    if (signal.aborted) begin();
    else signal.addEventListener('abort', begin, { once: true });
  });
  return {
    over,
    forget: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', begin);
    },
  };
}
