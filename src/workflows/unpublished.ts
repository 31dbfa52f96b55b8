import { answerEvent, type RunEventDraft } from '../agent/event';
import { jsonSize } from '../agent/json';
import type { RunState } from '../agent/run-state';
import type { MemoEvent } from '../agent/wire';

/** Of the memo's 16 kB; the rest is for the open requests. */
const MAX_EVENT_BYTES = 6_000;

/**
 * What happened in a run since its memo last changed and shows in no other event of its history: requests that
 * opened, answers that were accepted, the end of an ask (R44). Model and tool calls are activities and show there.
 */
export class Unpublished {
  private events: MemoEvent[] = [];

  /** `receipts` of the run were published before. */
  constructor(
    private run: RunState | undefined,
    private receipts = run?.receipts.length ?? 0,
  ) {}

  /** Another ask has begun. */
  follow(run: RunState): void {
    if (this.run !== run) this.receipts = 0;
    this.run = run;
  }

  add(runId: string, event: RunEventDraft): void {
    this.addAnswers();
    this.events.push(bounded({ ...event, runId }));
  }

  get isEmpty(): boolean {
    this.addAnswers();
    return this.events.length === 0;
  }

  /** Takes as many as fit into one memo. */
  take(): MemoEvent[] {
    this.addAnswers();
    const taken: MemoEvent[] = [];
    for (let bytes = 0; this.events[0];) {
      bytes += jsonSize(this.events[0]);
      if (taken.length > 0 && bytes > MAX_EVENT_BYTES) break;
      taken.push(...this.events.splice(0, 1));
    }
    return taken;
  }

  private addAnswers(): void {
    const { run } = this;
    if (!run) return;
    for (const record of run.receipts.slice(this.receipts))
      this.events.push({ ...answerEvent(record), runId: run.runId });
    this.receipts = run.receipts.length;
  }
}

/** A request about more calls than a memo can name leaves their ids to the query. */
function bounded(event: MemoEvent): MemoEvent {
  return jsonSize(event) > MAX_EVENT_BYTES && event.type === 'request' ? { ...event, callIds: [] } : event;
}
