import { allHandlersFinished, condition, workflowInfo } from '@temporalio/workflow';
import { judgeAnswer } from '../agent/answers';
import { canProceed } from '../agent/call-steps';
import { HoldpointError } from '../agent/errors';
import { requestEvent, type RunEventDraft } from '../agent/event';
import {
  acceptAnswer,
  advancePolicies,
  deliverHeld,
  expireRequests,
  noteRefusal,
  receiveAnswer,
  receiveMessage,
  rejectAnswer,
} from '../agent/intake';
import { readRevocation, revokedAbove, revokeGrants, toRevocation } from '../agent/grants';
import { takeReport } from '../agent/guests';
import { jsonSize } from '../agent/json';
import { Meter } from '../agent/meter';
import { nextDue } from '../agent/open-request';
import type { Receipt } from '../agent/receipt';
import { runLoop } from '../agent/run-loop';
import type { ModelReply, Revocation, RunState, Stop, Transcript } from '../agent/run-state';
import { MAX_LOOKS } from '../agent/schema-fit';
import type { AcceptedAnswer, CarriedConversation, CarriedState, RunMemo } from '../agent/wire';
import { ActivityPort, type PortHost } from './activity-port';
import { isMany, maxCarriedBytes } from './carry-limits';
import { Children } from './children';
import { Notifications } from './notifications';
import { hasAttributes, publishAttributes, publishMemo } from './published';
import { noRun, toFailure, typed } from './failures';
import { AgentMail } from './sub-agents';
import { Timer } from './timer';
import { Unpublished } from './unpublished';
import { Wake } from './wake';

export interface RunHostOptions {
  /** The run belongs to a workflow that continues as new when it likes. */
  readonly embedded?: boolean;
  /** What is sent along each time that the workflow continues as new. */
  readonly input?: unknown;
}

/**
 * What both workflows share: one transcript, the run at hand, the ways in, and when to continue as new.
 *
 * 1. Handlers only guard, record and return; the loop alone acts on what they recorded.
 * 2. No handler throws but an update's, which its sender gets (R30).
 */
export class RunHost implements PortHost {
  readonly wake = new Wake();
  readonly transcript: Transcript;
  run: RunState | undefined;
  port: ActivityPort | undefined;
  /** In a conversation: what outlives its asks. */
  conversation: CarriedConversation | undefined;
  lists: 'full' | 'none';
  private stored: true | undefined;
  private memoChange: number;
  private readonly execution: number;
  private readonly unpublished: Unpublished;
  private readonly early: Pick<RunState, 'rejections'> = { rejections: [] };
  private signals = 0;
  private metered: { readonly at: number; readonly meter: Meter } | undefined;
  private updates = 0;
  private readonly inputBytes: number;
  private readonly mail = new AgentMail();
  readonly children: Children;
  private readonly notifications: Notifications;
  private readonly deadline = new Timer(() => this.onDeadline());

  constructor(
    carried?: CarriedState,
    private readonly options: RunHostOptions = {},
  ) {
    this.inputBytes = jsonSize(options.input);
    this.children = new Children(options.embedded === true);
    this.notifications = new Notifications(this.children);
    this.transcript = carried?.transcript ?? { entries: [] };
    this.run = carried?.run;
    this.lists = carried?.lists ?? (hasAttributes() ? 'full' : 'none');
    this.stored = carried?.stored;
    this.memoChange = carried?.memoChange ?? 0;
    this.execution = carried?.execution ?? 0;
    this.unpublished = new Unpublished(this.run);
    // Where the execution before this one left off; costs no event when lists show it already. Before any handler: a
    // replay takes a first task that did nothing and the signals of the next one together.
    if (this.run?.status === 'pending') this.publishAttributes(this.run, 'pending');
    this.onRequest();
  }

  /** Receipts of a conversation's earlier asks. */
  get earlier(): readonly AcceptedAnswer[] {
    return this.conversation?.earlier ?? [];
  }

  /** Runs the loop until the run has ended, or until the workflow should continue as new (`carry`). */
  async drive(run: RunState): Promise<'ended' | 'carry'> {
    this.run = run;
    run.rejections.unshift(...this.early.rejections.splice(0));
    this.unpublished.follow(run);
    this.port = new ActivityPort(run, this.wake, this);
    if (run.stop) this.port.stop(run.stop);
    let published = run.status;
    for (;;) {
      if (run.status === 'pending' && !canProceed(run)) {
        this.onWait(run);
        if (this.shouldCarry() && this.fits()) return 'carry';
        await this.wake.next();
        continue;
      }
      if (published !== 'running') this.publish(run, 'running');
      const outcome = await runLoop(run, this.transcript, this.port);
      this.onRequest();
      if (outcome === 'ended') {
        this.notifications.tellEnd(run);
        await this.notifications.started();
        return 'ended';
      }
      if (outcome === 'yielded') return 'carry';
      this.publish(run, 'pending');
      published = 'pending';
    }
  }

  /** Before the loop is driven, as after continue-as-new, the stop waits for it in the state. */
  stop(run: RunState, stop: Stop): void {
    run.stop ??= stop;
    if (run === this.run) this.port?.stop(stop);
    this.wake.notify();
  }

  /** Makes lists and waiting clients see where the run stands. */
  publish(run: RunState, status: RunMemo['status']): void {
    this.notifications.tellOpen(run);
    do {
      this.memoChange += 1;
      publishMemo(run, status, this.memoChange, this.unpublished.take());
    } while (!this.unpublished.isEmpty);
    this.publishAttributes(run, status);
    this.mail.sendReport(run, this.memoChange, status === 'pending', () => this.stop(run, { for: 'cancel' }));
  }

  /** The end of a workflow shows in its close event; the memo tells only what came just before. */
  publishEnd(run: RunState, status: RunMemo['status']): void {
    if (this.unpublished.isEmpty) this.publishAttributes(run, status);
    else this.publish(run, status);
  }

  publishAttributes(run: RunState, status: RunMemo['status']): void {
    if (this.lists === 'full') publishAttributes(run, status);
  }

  onReply(reply: ModelReply): void {
    this.lists = reply.lists ?? 'full';
    this.stored = reply.stored;
  }

  /** Requests open and close while others still run (R26), and answers come in parts: all of that shows at once. */
  onWait(run: RunState): void {
    this.mail.sendForwards(run);
    if (!this.unpublished.isEmpty) this.publish(run, run.status);
  }

  /** `unseen`: no other event of the history tells it. */
  onEvent(run: RunState, event: RunEventDraft, unseen = false): void {
    if (event.type === 'request') this.onRequest();
    // The end of a standalone run is its close event.
    const isAsk = this.conversation !== undefined || this.options.embedded === true;
    if (unseen || event.type === 'request' || (event.type === 'run' && isAsk))
      this.unpublished.add(run.runId, event);
  }

  onRequest(): void {
    // A sub-agent's deadlines are kept where its requests are answered.
    this.deadline.set(this.run && !this.run.parent ? nextDue(this.run) : undefined);
  }

  private onDeadline(): void {
    const { run } = this;
    if (run) {
      this.notifications.tellRequests(run, 'request.expired', expireRequests(run, Date.now()));
      const steps = advancePolicies(run, Date.now());
      const due = new Set(steps.map(({ open }) => open));
      this.notifications.tellRequests(run, 'request.reminder', [...due]);
      // Lists show at once who else may answer now.
      if (steps.some((step) => step.is === 'escalation')) this.publishAttributes(run, run.status);
    }
    this.changed();
  }

  /** Called after every change from outside. */
  changed(): void {
    this.onRequest();
    if (this.run) this.mail.sendForwards(this.run);
    this.wake.notify();
  }

  /** A sub-agent says what it waits on. */
  onChildReport(raw: unknown): void {
    this.signals += 1;
    const { run } = this;
    if (!run) return;
    const now = Date.now();
    for (const { request, guest } of takeReport(run, raw, now)) {
      const callId = run.calls[guest?.callIndex ?? -1]?.id;
      this.onEvent(run, requestEvent(run, request, callId === undefined ? [] : [callId], now));
      deliverHeld(run, request.id, { now, earlier: this.earlier });
    }
    this.changed();
  }

  onAnswerSignal(raw: unknown, forwarded = false): void {
    this.signals += 1;
    if (!this.run) return this.rejectEarly(raw);
    const accepted = receiveAnswer(this.run, raw, {
      now: Date.now(),
      via: 'signal',
      earlier: this.earlier,
      meter: this.meter(),
      forwarded,
    });
    if (accepted) this.changed();
    // Nothing has changed but the count of signals.
    else if (this.shouldCarry()) this.wake.notify();
  }

  /** The update's validator: throws the typed refusal and changes nothing. */
  validateAnswer(raw: unknown): void {
    if (!this.run) throw toFailure(noRun());
    const verdict = judgeAnswer(this.run, raw, { now: Date.now(), earlier: this.earlier });
    if (verdict.is === 'refuse') throw toFailure(verdict.error);
  }

  onAnswerUpdate(raw: unknown): Receipt {
    this.updates += 1;
    if (!this.run) throw toFailure(noRun());
    const { earlier } = this;
    const options = { now: Date.now(), via: 'update', earlier, meter: this.meter() } as const;
    const acceptance = acceptAnswer(this.run, raw, options);
    if (!acceptance.ok) throw toFailure(acceptance.error);
    this.changed();
    return acceptance.receipt;
  }

  /** An attempt that an API refused, for the record: values of its data never come here. */
  onRefusalSignal(raw: unknown): void {
    this.signals += 1;
    if (this.run) noteRefusal(this.run, raw, Date.now());
    if (this.shouldCarry()) this.wake.notify();
  }

  /** Throws when nothing is asked here yet. */
  onRevoke(raw: unknown): { readonly revoked: boolean } {
    this.updates += 1;
    if (!this.run) throw toFailure(noRun());
    if (this.run.parent) throw toFailure(revokedAbove(this.run.parent));
    return typed(() => ({ revoked: this.revoke(readRevocation(raw)) }));
  }

  /** From the run above. */
  onRevokeSignal(raw: unknown): void {
    this.signals += 1;
    const revocation = toRevocation(raw);
    if (revocation) this.revoke(revocation);
    if (this.shouldCarry()) this.wake.notify();
  }

  private revoke(revocation: Revocation): boolean {
    const { run } = this;
    if (!run || !revokeGrants(run, revocation, Date.now())) return false;
    this.mail.sendForwards(run);
    return true;
  }

  onMessageSignal(raw: unknown): void {
    this.signals += 1;
    const { run } = this;
    if (!run) return this.rejectEarly(undefined);
    const problem = receiveMessage(run, raw);
    if (problem !== undefined) {
      const error = new HoldpointError('Holdpoint.Run.InvalidInput', `A message was not taken. ${problem}`);
      rejectAnswer(run, undefined, error, Date.now());
    }
    this.wake.notify();
  }

  /** Before the first ask there is no run to show it; the first one does. */
  private rejectEarly(raw: unknown): void {
    rejectAnswer(this.early, raw, noRun(), Date.now());
  }

  /**
   * One for all handlers of a workflow's step, whose time is limited; the clock stands still in it. A validator has
   * its own: it does not run again in a replay.
   */
  private meter(): Meter {
    const now = Date.now();
    if (this.metered?.at !== now) this.metered = { at: now, meter: new Meter(MAX_LOOKS) };
    return this.metered.meter;
  }

  countUpdate(): void {
    this.updates += 1;
  }

  shouldCarry(): boolean {
    if (this.options.embedded) return false;
    // The next execution would not hear of their ends.
    if (this.run?.calls.some(({ phase }) => phase.is === 'delegated')) return false;
    return workflowInfo().continueAsNewSuggested || isMany(this.signals, this.updates);
  }

  /** Between turns: continue as new, or end a run whose transcript has outgrown what can be carried. */
  shouldYield(run: RunState): boolean {
    if (!this.shouldCarry()) return false;
    if (this.fits()) return true;
    run.limit = 'transcriptSize';
    return false;
  }

  fits(): boolean {
    return this.inputBytes + jsonSize(this.carry()) <= maxCarriedBytes(this.stored);
  }

  carry(): CarriedState {
    return {
      schema: 1,
      transcript: this.transcript,
      ...(this.run && { run: this.run }),
      memoChange: this.memoChange,
      execution: this.execution + 1,
      lists: this.lists,
      ...(this.stored && { stored: this.stored }),
      ...(this.conversation && { conversation: this.conversation }),
    };
  }

  /**
   * True when it is safe to continue as new at once. A message that came meanwhile is in the state by
   * now; the caller must not await between this and continuing.
   */
  async readyToCarry(): Promise<boolean> {
    do if (!allHandlersFinished()) await condition(allHandlersFinished);
    while (!(await this.notifications.started()) || !(await this.mail.sent()));
    return this.run?.status !== 'pending' || !canProceed(this.run);
  }
}
