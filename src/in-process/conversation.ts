import { HoldpointError } from '../agent/errors';
import { closeRequests } from '../agent/intake';
import type { RunResult } from '../agent/result';
import type { ReceiptRecord, Transcript } from '../agent/run-state';
import type { DirectPort } from './direct-port';
import type { Driven } from './drive-run';

const MAX_QUEUED = 100;
const MAX_EARLIER_RECEIPTS = 500;

/** The ask at hand: being driven while it has a port, halted otherwise. */
export interface OpenAsk extends Driven {
  port?: DirectPort;
  result: Promise<RunResult>;
}

/** One conversation's memory: a transcript, and its asks one after the other (R39). */
export class Conversation {
  readonly transcript: Transcript = { entries: [] };
  readonly seed = crypto.randomUUID();
  /** The number of the last ask. */
  asks = 0;
  /** Receipts of earlier asks, so that a late repeat is recognised (R29). */
  earlier: ReceiptRecord[] = [];
  usedIds: readonly string[] = [];
  open: OpenAsk | undefined;
  /** The last ask that ended. */
  last: OpenAsk | undefined;
  private isTaken = false;
  private readonly queue: { readonly begin: () => void; readonly refuse: (error: Error) => void }[] = [];

  constructor(readonly id: string) {}

  /**
   * Waits for this ask's turn (R39). Throws the signal's reason when it aborts meanwhile; nothing was asked then.
   *
   * @throws HoldpointError `Holdpoint.Conversation.QueueFull`
   */
  async takeTurn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (!this.isTaken) {
      this.isTaken = true;
      return;
    }
    if (this.queue.length >= MAX_QUEUED)
      throw new HoldpointError(
        'Holdpoint.Conversation.QueueFull',
        `Conversation ${this.id} has ${MAX_QUEUED} asks in its queue. Ask again when some have ended.`,
        { conversationId: this.id },
      );
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        this.queue.splice(this.queue.indexOf(entry), 1);
        reject(signal?.reason as Error);
      };
      const begin = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const entry = { begin, refuse: reject };
      this.queue.push(entry);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** The ask at hand has ended: what outlives it is kept, and the next one begins. */
  endAsk(ask: OpenAsk): void {
    const { run } = ask;
    this.earlier = [...this.earlier, ...run.receipts].slice(-MAX_EARLIER_RECEIPTS);
    this.usedIds = run.usedIds;
    this.open = undefined;
    this.last = ask;
    const next = this.queue.shift();
    if (next) next.begin();
    else this.isTaken = false;
  }

  /** The ask at hand is cancelled, those in the queue are refused. */
  end(): void {
    this.open?.port?.stop({ for: 'cancel' });
    for (const { refuse } of this.queue.splice(0))
      refuse(
        new HoldpointError('Holdpoint.Conversation.Closed', `Conversation ${this.id} was erased.`, {
          conversationId: this.id,
        }),
      );
  }

  /** Throws `Holdpoint.Conversation.Pending` while the ask at hand waits for an answer (R40). */
  refusePending(): void {
    const { open } = this;
    const [waiting] = open && !open.port ? open.run.requests : [];
    if (!waiting) return;
    const { id: requestId, prompt } = waiting.request;
    throw new HoldpointError(
      'Holdpoint.Conversation.Pending',
      `Conversation ${this.id} waits for an answer to ${JSON.stringify(prompt.slice(0, 200))}. Answer it, or ask with \`whilePending\` 'queue' or 'decline'.`,
      { conversationId: this.id, requestId },
    );
  }

  /** Declines what the halted ask waits for; the ask that has to go on now, if there was something. */
  declinePending(now: number): OpenAsk | undefined {
    const { open } = this;
    if (!open || open.port || open.run.requests.length === 0) return undefined;
    closeRequests(open.run, 'declined', 'call', now);
    return open;
  }
}
