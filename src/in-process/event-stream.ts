import { answerEvent, type RunEvent, type RunEventDraft } from '../agent/event';
import type { RunState } from '../agent/run-state';

/** Gives a run's events their positions and passes them on (R44). */
export class EventStream {
  private receipts: number;

  constructor(
    private readonly run: RunState,
    private readonly onEvent: ((event: RunEvent) => void) | undefined,
    /** Events so far. */
    public count = 0,
    receipts = run.receipts.length,
  ) {
    this.receipts = receipts;
  }

  report(event: RunEventDraft): void {
    this.reportAnswers();
    this.pass(event);
  }

  /** Whoever accepted them, answers are told before what follows from them. */
  reportAnswers(): void {
    const { run } = this;
    for (const record of run.receipts.slice(this.receipts)) {
      this.receipts += 1;
      this.pass(answerEvent(record));
    }
  }

  private pass(draft: RunEventDraft): void {
    const event: RunEvent = { ...draft, runId: this.run.runId, position: this.count };
    this.count += 1;
    try {
      this.onEvent?.(event);
    } catch {
      // A listener must not be able to break the run that it listens to.
    }
  }
}
