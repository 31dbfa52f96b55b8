import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';

/** One durable timer that can be set anew. Setting it to the instant it already has costs no event. */
export class Timer {
  private at: number | undefined;
  private scope: CancellationScope | undefined;

  constructor(private readonly onDue: () => void) {}

  /** @param at milliseconds since the epoch; undefined clears the timer. */
  set(at: number | undefined): void {
    if (at === this.at) return;
    this.scope?.cancel();
    this.at = at;
    this.scope = at === undefined ? undefined : new CancellationScope();
    if (at !== undefined && this.scope) void this.wait(at, this.scope);
  }

  private async wait(at: number, scope: CancellationScope): Promise<void> {
    try {
      await scope.run(() => sleep(Math.max(1, at - Date.now())));
    } catch (error) {
      if (isCancellation(error)) return;
      throw error;
    }
    if (this.scope !== scope) return;
    this.at = undefined;
    this.scope = undefined;
    this.onDue();
  }
}
