import type { RunState } from '../agent/run-state';

/**
 * All that a workflow's step starts travels in one message of 4 MB, with up to 1.5 MiB of activities' inputs in it.
 * A step whose message is larger fails, again and again.
 */
const MAX_BYTES_STARTING = 1_048_576;
/** What a start takes beside its input. */
const OVERHEAD_BYTES = 2_048;

/** How a run's sub-agents and deliveries are called, and when they start. */
export class Children {
  private bytes = 0;
  private waiting: (() => void)[] = [];

  constructor(private readonly embedded: boolean) {}

  /** What their ids begin with. A workflow may embed several runs, one after the other, whose deliveries go on meanwhile. */
  prefixOf({ runId, seed }: RunState): string {
    return this.embedded ? `${runId}/${seed}` : runId;
  }

  /** Starts one as soon as there is room for it: at once, where nothing large is starting. */
  async start<T>(inputBytes: number, begin: () => Promise<T>): Promise<T> {
    const bytes = inputBytes + OVERHEAD_BYTES;
    while (this.bytes > 0 && this.bytes + bytes > MAX_BYTES_STARTING)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.bytes += bytes;
    try {
      return await begin();
    } finally {
      this.bytes -= bytes;
      for (const resolve of this.waiting.splice(0)) resolve();
    }
  }
}
