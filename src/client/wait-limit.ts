import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { HoldpointError } from '../agent/errors';
import type { CallOptions } from './options';
import { isTransient } from './rpc-failure';

/** Of the calls that wait for a halt or an end. */
export const DEFAULT_WAIT_MS = 600_000;
/** Of the calls that only ask or tell. */
export const DEFAULT_CALL_MS = 60_000;

/** One request that the server answers at once. */
const REQUEST_TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 3_000;
const MAX_TIMER_MS = 2_147_483_647;
/** For a call to end by itself, with the better error. */
const GRACE_MS = 500;

/** Thrown where the time is over; the operation turns it into an error that names the run. */
export class TimeIsOver extends Error {
  override readonly name = 'TimeIsOver';
}

/**
 * How long one call of the client may go on. Every request goes through it, so that
 *
 * 1. an abort ends the call at once, with the signal's own reason,
 * 2. no request outlasts the call's time limit,
 * 3. failures that pass are retried until then.
 */
export class WaitLimit {
  readonly waitMs: number;
  private readonly deadline: number;
  private readonly signal: AbortSignal | undefined;

  constructor(
    private readonly temporal: Client,
    options: CallOptions,
    defaultMs: number,
  ) {
    this.waitMs = checkWaitMs(options.waitMs ?? defaultMs);
    this.deadline = Date.now() + this.waitMs;
    this.signal = options.signal;
  }

  /** The same limit for a part of the call that `signal` may end before. */
  endedBy(signal: AbortSignal): WaitLimit {
    const signals = this.signal ? AbortSignal.any([this.signal, signal]) : signal;
    return new WaitLimit(this.temporal, { signal: signals }, Math.max(1, this.leftMs));
  }

  /** Milliseconds that the call may still go on; never below 0. */
  get leftMs(): number {
    return Math.max(0, this.deadline - Date.now());
  }

  /** Throws the signal's reason once it aborted, `TimeIsOver` once the time is up. */
  check(): void {
    this.signal?.throwIfAborted();
    if (Date.now() >= this.deadline) throw new TimeIsOver();
  }

  /** Ends a call that does not end by itself: a codec or a store may hang on what a request has brought. */
  async enforced<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    let endIn: (ms: number) => void = () => undefined;
    const over = new Promise<never>((_, reject) => {
      endIn = (ms) => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(new TimeIsOver()), ms + GRACE_MS);
      };
    });
    const abort = (): void => endIn(0);
    this.signal?.addEventListener('abort', abort, { once: true });
    if (this.leftMs + GRACE_MS <= MAX_TIMER_MS) endIn(this.leftMs);
    try {
      return await Promise.race([work, over]);
    } finally {
      clearTimeout(timer);
      this.signal?.removeEventListener('abort', abort);
    }
  }

  /** Makes one request. Its failure is the request's own, unless the call as a whole has to end. */
  async once<T>(request: () => Promise<T>, timeoutMs = REQUEST_TIMEOUT_MS): Promise<T> {
    this.check();
    // The SDK adds a listener per request and never removes it; the caller's signal may outlive thousands.
    const scope = new AbortController();
    const abort = (): void => scope.abort();
    this.signal?.addEventListener('abort', abort, { once: true });
    const until = Math.min(Date.now() + timeoutMs, this.deadline);
    try {
      return await this.temporal.withDeadline(until, () =>
        this.temporal.withAbortSignal(scope.signal, request),
      );
    } catch (error) {
      this.check();
      throw error;
    } finally {
      this.signal?.removeEventListener('abort', abort);
    }
  }

  /** Makes a request that does no harm when it is made twice, until it succeeds or fails for good. */
  async retrying<T>(request: () => Promise<T>, timeoutMs = REQUEST_TIMEOUT_MS): Promise<T> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.once(request, timeoutMs);
      } catch (error) {
        if (!isTransient(error)) throw error;
        await this.pause(failures);
      }
    }
  }

  /** Waits for what happens in this process. Throws as `check` does when the call has to end first. */
  async orGiveUp<T>(happening: Promise<T>): Promise<T> {
    this.check();
    const scope = new AbortController();
    const left = this.deadline - Date.now();
    // Node's longest timer.
    const over = delay(Math.min(left, MAX_TIMER_MS), undefined, {
      signal: this.signal ? AbortSignal.any([this.signal, scope.signal]) : scope.signal,
    }).then(
      () => this.check(),
      () => this.check(),
    );
    try {
      const first = await Promise.race([happening.then((value) => ({ value })), over]);
      if (first) return first.value;
      throw new TimeIsOver();
    } finally {
      scope.abort();
      over.catch(() => undefined);
    }
  }

  /** A pause before the next attempt, longer with every failure. */
  async pause(failures: number): Promise<void> {
    const left = this.deadline - Date.now();
    const ms = Math.max(0, Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS, left));
    try {
      await delay(ms, undefined, this.signal && { signal: this.signal });
    } finally {
      this.check();
    }
  }
}

function checkWaitMs(waitMs: number): number {
  if (typeof waitMs === 'number' && waitMs > 0) return waitMs;
  throw new HoldpointError(
    'Holdpoint.Client.InvalidOptions',
    `Expected \`waitMs\` to be a number of milliseconds above 0, or Infinity, got ${String(waitMs)}.`,
  );
}
