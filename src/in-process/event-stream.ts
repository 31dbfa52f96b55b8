import { answerEvent, type RunEvent, type RunEventDraft } from '../agent/event';
import { toProgress, type ProgressEvent } from '../agent/progress';
import type { RunState } from '../agent/run-state';

/** Who is told of a run's events, and of what its tool calls report. */
export interface EventListeners {
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
}

/** Gives a run's events their positions and passes them on (R44). */
export class EventStream {
  private receipts: number;

  constructor(
    private readonly run: RunState,
    private readonly listeners: EventListeners,
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

  /** What a tool call reports of itself, which is no part of the stream (R44). */
  reportProgress(
    call: Pick<ProgressEvent, 'turn' | 'callId' | 'tool'>,
    told: readonly [unknown, unknown?, unknown?],
  ): void {
    const [amount, total, message] = told;
    const progress = toProgress(amount, total, message, Date.now());
    const { runId } = this.run;
    if (progress)
      quietly(() => this.listeners.onProgress?.({ type: 'progress', runId, ...call, ...progress }));
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
    quietly(() => this.listeners.onEvent?.(event));
  }
}

/** A listener must not be able to break the run that it listens to. */
function quietly(tell: () => void): void {
  try {
    tell();
  } catch {
    return;
  }
}
