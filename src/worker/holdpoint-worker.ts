import type { Worker } from '@temporalio/worker';
import { gracefulRun } from './graceful-run';

/** A worker that `createWorker` made. It runs once: make another one to start again. */
export class HoldpointWorker {
  private running: Promise<void> | undefined;

  constructor(
    private readonly worker: Worker,
    private readonly release: () => Promise<void>,
  ) {}

  /**
   * Takes work until `shutdown`, SIGINT or SIGTERM. Resolves when what was in flight has ended, within the
   * grace time; rejects when the worker fails, for one because the server was lost for good.
   */
  run(): Promise<void> {
    return (this.running ??= this.ended(this.worker.run()));
  }

  /** Stops taking work and resolves when `run` has. Calling it again, or before `run`, does no harm. */
  async shutdown(): Promise<void> {
    const state = this.worker.getState();
    if (state === 'RUNNING') this.worker.shutdown();
    // A worker that never ran still holds its connection; Temporal lets it go only after a run.
    else if (state === 'INITIALIZED' && !this.running)
      this.running = this.ended(this.worker.runUntil(noWork));
    // Why it ended is told to whoever waits for `run`.
    await this.running?.catch(() => undefined);
  }

  /**
   * Runs until the function's promise settles, then shuts down and gives its value or its error.
   *
   * ```ts
   * const result = await worker.runUntil(() => client.run('refund-desk', 'Please refund order 1047'));
   * ```
   */
  async runUntil<T>(work: Promise<T> | (() => Promise<T>)): Promise<T> {
    let value: Promise<T> | undefined;
    this.running = this.ended(
      this.worker.runUntil(() => (value = typeof work === 'function' ? work() : work)).then(() => undefined),
    );
    await this.running;
    return value as Promise<T>;
  }

  private async ended(run: Promise<void>): Promise<void> {
    try {
      await gracefulRun(run);
    } finally {
      await this.release();
    }
  }
}

async function noWork(): Promise<void> {}
