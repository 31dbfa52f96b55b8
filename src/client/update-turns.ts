import type { WaitLimit } from './wait-limit';

/** The server takes ten updates of a run at a time, of all its clients together, and others want to answer too. */
const AT_ONCE = 8;

interface Line {
  open: number;
  readonly waiting: Set<() => void>;
}

/**
 * Whose turn it is to send an update to a run. One that the server refuses for being too many comes back a second
 * later at the earliest; in a line of our own it goes as soon as there is room.
 */
export class UpdateTurns {
  private readonly lines = new Map<string, Line>();

  /** Does the work when it is its turn; gives up as the limit says. */
  async take<T>(workflowId: string, limit: WaitLimit, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(workflowId) ?? { open: 0, waiting: new Set() };
    this.lines.set(workflowId, line);
    if (line.open < AT_ONCE) line.open += 1;
    else await this.turnIn(line, limit);
    try {
      return await work();
    } finally {
      this.leave(workflowId, line);
    }
  }

  /** Whoever leaves hands the place over, so that nobody who comes later gets it first. */
  private async turnIn(line: Line, limit: WaitLimit): Promise<void> {
    let take = (): void => undefined;
    const turn = new Promise<void>((resolve) => (take = resolve));
    line.waiting.add(take);
    try {
      await limit.orGiveUp(turn);
    } catch (error) {
      // It came at the same moment: the next one takes it.
      if (!line.waiting.delete(take)) this.passOn(line);
      throw error;
    }
  }

  private leave(workflowId: string, line: Line): void {
    this.passOn(line);
    if (line.open === 0) this.lines.delete(workflowId);
  }

  private passOn(line: Line): void {
    const [next] = line.waiting;
    if (!next) {
      line.open -= 1;
      return;
    }
    line.waiting.delete(next);
    next();
  }
}
