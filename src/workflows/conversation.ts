import { MAX_REASON_LENGTH, typeName } from '../agent/answer';
import { cutText } from '../agent/cut-text';
import { HoldpointError } from '../agent/errors';
import { endEvent } from '../agent/event';
import { closeRequests, fitsTogether, MAX_INPUT_BYTES, toUserMessage } from '../agent/intake';
import { isRecord } from '../agent/json';
import type { UserMessage } from '../agent/message';
import { newRun, toLimits } from '../agent/new-run';
import { quote } from '../agent/refusal';
import type { RunState } from '../agent/run-state';
import { toAgentName, toContext } from '../agent/start-input';
import type {
  AgentConversationInput,
  AskMessage,
  AskReceipt,
  CarriedConversation,
  CarriedState,
  QueuedAsk,
  RunSnapshot,
} from '../agent/wire';
import { shownAsk, withEnded, withReceipts } from './ended-asks';
import { fitted } from './fitted';
import { RunHost } from './run-host';
import { snapshotOf, summaryOf } from './snapshot';

const MAX_QUEUED = 100;

/**
 * A conversation: asks one after the other on one transcript (R39). Each ask is a run of its own, with
 * counts, limits and a cancel of its own.
 */
export class Conversation {
  readonly host: RunHost;
  readonly kept: CarriedConversation;

  constructor(
    private readonly id: string,
    private readonly seed: string,
    readonly input: AgentConversationInput,
    carried: CarriedState | undefined,
    now: number,
  ) {
    this.host = new RunHost(carried, { input });
    this.kept = carried?.conversation ?? {
      asks: 0,
      queue: [],
      ended: [],
      earlier: [],
      usedIds: [],
      idleSince: now,
      taken: [],
    };
    this.host.conversation = this.kept;
  }

  /** The ask at hand, if it has not ended. */
  get open(): RunState | undefined {
    const { run } = this.host;
    return run && run.endedAt === undefined ? run : undefined;
  }

  /** Set by `close`, by the idle deadline, by Temporal's cancel, or by a transcript that cannot be carried. */
  get closedBy(): CarriedConversation['closedBy'] {
    return this.kept.closedBy;
  }

  validateAsk(raw: unknown): void {
    if (this.closedBy !== undefined)
      throw new HoldpointError('Holdpoint.Conversation.Closed', `Conversation ${this.id} is closed.`, {
        conversationId: this.id,
      });
    const message = toAsk(raw);
    if (this.kept.queue.length >= MAX_QUEUED)
      throw new HoldpointError(
        'Holdpoint.Conversation.QueueFull',
        `Conversation ${this.id} has ${MAX_QUEUED} asks in its queue. Ask again when some have ended.`,
        { conversationId: this.id },
      );
    if (!fitsTogether([...this.kept.queue, message])) {
      const alone = this.kept.queue.length === 0;
      throw new HoldpointError(
        alone ? 'Holdpoint.Run.InvalidInput' : 'Holdpoint.Conversation.QueueFull',
        `Conversation ${this.id} keeps ${MAX_INPUT_BYTES} bytes of asks that wait. ${
          alone ? 'Ask with less: pass a reference.' : 'Ask again when some have ended.'
        }`,
        { conversationId: this.id },
      );
    }
    const [request] = this.open?.status === 'pending' ? this.open.requests : [];
    if (request && (message.whilePending ?? 'refuse') === 'refuse')
      throw new HoldpointError(
        'Holdpoint.Conversation.Pending',
        `Conversation ${this.id} waits for an answer to ${JSON.stringify(request.request.prompt.slice(0, 200))}. Answer it, or ask with \`whilePending\` 'queue' or 'decline'.`,
        { conversationId: this.id, requestId: request.request.id },
      );
  }

  ask(raw: unknown, now: number): AskReceipt {
    const { input, agent, context = this.input.context, limits, whilePending } = toAsk(raw);
    this.kept.asks += 1;
    const n = this.kept.asks;
    this.kept.queue.push({
      n,
      message: input,
      ...(agent !== undefined && { agent }),
      ...(context !== undefined && { context }),
      limits: { ...this.input.limits, ...limits },
    });
    const position = this.kept.queue.length - 1 + (this.open ? 1 : 0);
    if (whilePending === 'decline' && this.open) closeRequests(this.open, 'declined', 'update', now);
    return { runId: this.runId(n), position };
  }

  runId(n: number): string {
    return `${this.id}/${n}`;
  }

  /** The next ask of the queue becomes the run at hand; its message joins the transcript. */
  startNext(now: number): RunState | undefined {
    const next = this.kept.queue.shift();
    if (!next) return undefined;
    const { entries } = this.host.transcript;
    const run = this.toRun(next, now);
    entries.push({ message: next.message });
    return run;
  }

  private toRun({ n, agent = this.input.agent, context, limits }: QueuedAsk, now: number): RunState {
    return newRun({
      runId: this.runId(n),
      agent,
      // Ids that an ask derives include its number (R39).
      seed: `${this.seed}.${n}`,
      from: this.host.transcript.entries.length,
      now,
      limits,
      context,
      conversationId: this.id,
      tenant: this.input.tenant,
      usedIds: this.kept.usedIds,
    });
  }

  /** An ask has ended: what outlives it is kept, within bounds. */
  endAsk(run: RunState, now: number): void {
    this.kept.ended = withEnded(this.kept.ended, summaryOf(run, this.host.transcript));
    this.kept.earlier = withReceipts(this.kept.earlier, run.receipts);
    run.receipts = [];
    this.kept.usedIds = run.usedIds;
    this.kept.idleSince = now;
    if (run.limit === 'transcriptSize') this.kept.closedBy ??= 'transcriptSize';
  }

  /** Ends an ask as `cancelled`: the one at hand, or one that waits its turn (R40). */
  cancel(runId: string, now: number, reason?: string): void {
    const { open } = this;
    if (open?.runId === runId) {
      this.host.stop(open, { for: 'cancel', ...(reason !== undefined && { reason }) });
      return;
    }
    const queued = this.kept.queue.find(({ n }) => this.runId(n) === runId);
    if (!queued) return;
    this.kept.queue = this.kept.queue.filter((ask) => ask !== queued);
    const run = this.toRun(queued, now);
    run.status = 'cancelled';
    run.endedAt = now;
    this.host.onEvent(run, endEvent(run));
    this.kept.ended = withEnded(this.kept.ended, summaryOf(run, this.host.transcript));
  }

  /** Declines what the ask at hand waits on, and ends it (R40). */
  abandon(reason: unknown, now: number): void {
    const why = typeof reason === 'string' ? cutText(reason, MAX_REASON_LENGTH) : 'declined';
    if (this.open) this.cancel(this.open.runId, now, why);
  }

  validateCancel(runId: unknown): void {
    const known = [this.open?.runId, ...this.kept.queue.map(({ n }) => this.runId(n))];
    if (typeof runId === 'string' && known.includes(runId)) return;
    const ended = this.kept.ended.some((ask) => ask.runId === runId);
    throw new HoldpointError(
      ended ? 'Holdpoint.Run.Closed' : 'Holdpoint.Run.NotFound',
      ended
        ? `Run ${String(runId)} has ended.`
        : `Conversation ${this.id} has no run ${typeof runId === 'string' ? quote(runId) : typeName(runId)}.`,
      { conversationId: this.id },
    );
  }

  /** No more asks; the one at hand and those in the queue end as `cancelled`. */
  close(by: 'close' | 'idle' | 'cancel', now: number): void {
    this.kept.closedBy ??= by;
    if (this.open) this.cancel(this.open.runId, now);
    for (const { n } of [...this.kept.queue]) this.cancel(this.runId(n), now);
  }

  snapshot(): RunSnapshot | null {
    const { run, transcript } = this.host;
    if (!run) return null;
    const { asks, queue, ended } = this.kept;
    const conversation = {
      closed: this.closedBy !== undefined,
      asks,
      queued: queue.map(({ n }) => this.runId(n)),
      ended: ended.map((ask) => shownAsk(ask, transcript)),
    };
    const receipts = [...this.kept.earlier, ...run.receipts];
    return fitted({ ...snapshotOf(run, transcript), receipts, conversation });
  }
}

/** Reads an ask from anything a sender may have put on the wire. */
function toAsk(raw: unknown): AskMessage & { readonly input: UserMessage } {
  const input = isRecord(raw) ? toUserMessage(raw['input']) : undefined;
  if (!isRecord(raw) || !input)
    throw new HoldpointError(
      'Holdpoint.Run.InvalidInput',
      'Expected an ask {input, agent?, context?, limits?, whilePending?} with a text or a user message as `input`.',
    );
  // Other SDKs write null for what is not there.
  const agent = raw['agent'] ?? undefined;
  const whilePending = raw['whilePending'] ?? undefined;
  const context = toContext(raw['context']);
  if (
    whilePending !== undefined &&
    whilePending !== 'refuse' &&
    whilePending !== 'queue' &&
    whilePending !== 'decline'
  )
    throw new HoldpointError(
      'Holdpoint.Run.InvalidInput',
      "Expected `whilePending` to be 'refuse', 'queue' or 'decline'.",
    );
  return {
    input,
    ...(agent !== undefined && { agent: toAgentName(agent) }),
    ...(context !== undefined && { context }),
    limits: toLimits(raw['limits']),
    ...(whilePending !== undefined && { whilePending }),
  };
}
