import {
  ActivityCancellationType,
  CancellationScope,
  isCancellation,
  proxyActivities,
  sleep,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow';
import { delegatedEvent, type RunEventDraft } from '../agent/event';
import type { Port, ToolExecution, WaitForOutcome } from '../agent/port';
import { DEFAULT_TOOL_TIMEOUT_MS, errorResult, type ToolResult } from '../agent/tool';
import type { Request } from '../agent/request';
import { isHeldRoute } from '../agent/route';
import type {
  CallState,
  ModelReply,
  ReceiptRecord,
  RunState,
  Stop,
  ToolOutcome,
  Transcript,
} from '../agent/run-state';
import { takeDelegated } from '../agent/call-steps';
import { delegationOf, subAgentRunId, tooDeepText } from '../agent/delegation';
import { addUsage, NO_USAGE } from '../agent/model';
import { unknownOutcomeText } from '../agent/result-text';
import type { Children } from './children';
import { runSubAgent } from './sub-agents';
import type { CallModelInput, CallToolInput, WaitForInput } from '../agent/wire';
import { isNotStarted, notStartedText, toHoldpointError, toToolOutcome } from './activity-failure';
import { toArgumentsRef, toRunRef, toTranscriptRef } from './references';
import { Timer } from './timer';
import type { Wake } from './wake';

/** Property signatures: an activity has no `this`. */
interface Activities {
  readonly callModel: (input: CallModelInput) => Promise<ModelReply>;
  readonly callTool: (input: CallToolInput) => Promise<ToolOutcome>;
  readonly waitFor: (input: WaitForInput) => Promise<WaitForOutcome>;
}

/** What the port asks of the workflow that owns it. */
export interface PortHost {
  /** Receipts of a conversation's earlier asks. */
  readonly earlier: readonly ReceiptRecord[];
  shouldYield(run: RunState): boolean;
  onReply(reply: ModelReply): void;
  /** `unseen`: no other event of the history tells it. */
  onEvent(run: RunState, event: RunEventDraft, unseen?: boolean): void;
  /** Whether the run is in lists. */
  readonly lists: 'full' | 'none';
  readonly children: Children;
  /** The loop is about to wait for something that is in flight. */
  onWait(run: RunState): void;
}

const HEARTBEAT_TIMEOUT_MS = 30_000;
const MODEL_TIMEOUT_MS = 10 * 60_000;
/** The worker ends a call at its budget and gives the tool a second; this is for a worker that does not. */
const BUDGET_MARGIN_MS = 10_000;
/** How long an aborted call may take to end (R34). */
const ABORT_GRACE_MS = 10_000;
/** Workers without the tool, during a deployment: asked again for about five minutes in all. */
const MAX_NOT_STARTED = 14;

/** The durable driver of the loop: every effect is an activity, every wait a durable one. */
export class ActivityPort implements Port {
  /** What the server knows of the run's activities is cancelled through this scope, never the run itself. */
  private readonly scope = new CancellationScope();
  private readonly agents = new CancellationScope({ cancellable: true, parent: this.scope });
  private readonly asking = new Map<string, CancellationScope>();
  /** Per call in flight: what ends the wait for it. */
  private readonly inFlight = new Set<() => void>();
  private readonly budget: Timer;
  private readonly grace = new Timer(() => this.inFlight.forEach((giveUp) => giveUp()));
  private activeSince: number | undefined;
  private aborted = false;

  constructor(
    private readonly run: RunState,
    private readonly wake: Wake,
    private readonly host: PortHost,
  ) {
    this.budget = new Timer(() => this.stop({ for: 'limit', limit: 'timeoutMs' }));
  }

  /** Stops the run: nothing new starts, what is in flight is aborted. The first stop counts. */
  stop(stop: Stop): void {
    this.run.stop ??= stop;
    if (!this.aborted) {
      this.aborted = true;
      this.scope.cancel();
      if (this.inFlight.size > 0) this.grace.set(this.now() + ABORT_GRACE_MS);
    }
    this.wake.notify();
  }

  get earlier(): readonly ReceiptRecord[] {
    return this.host.earlier;
  }

  now(): number {
    return Date.now();
  }

  changed(): Promise<void> {
    this.host.onWait(this.run);
    return this.wake.next();
  }

  report(run: RunState, event: RunEventDraft): void {
    this.host.onEvent(run, event);
  }

  shouldYield(run: RunState): boolean {
    return this.host.shouldYield(run);
  }

  setActive(run: RunState, active: boolean): void {
    const now = this.now();
    if (active) this.activeSince ??= now;
    else if (this.activeSince !== undefined) {
      run.activeMs += now - this.activeSince;
      this.activeSince = undefined;
    }
    const { timeoutMs } = run.limits;
    const began = this.activeSince;
    const limited = began !== undefined && timeoutMs !== undefined;
    this.budget.set(limited ? began + Math.max(0, timeoutMs - run.activeMs) : undefined);
  }

  async callModel(run: RunState, transcript: Transcript): Promise<ModelReply> {
    const { callModel } = activities({
      startToCloseTimeout: MODEL_TIMEOUT_MS,
      // A cancelled model call has no result to wait for.
      cancellationType: ActivityCancellationType.TRY_CANCEL,
      // Provider errors are counted in the activity (R37); what is retried here is a lost worker.
      retry: { initialInterval: 1000, maximumInterval: 30_000 },
    });
    this.host.onWait(run);
    const first = run.turn === 1;
    const known = transcript.system?.digest;
    try {
      const reply = await this.scope.run(() =>
        callModel({
          run: toRunRef(run),
          transcript: toTranscriptRef(transcript),
          ...(known !== undefined && (first ? { previousSystem: known } : { system: known })),
        }),
      );
      this.host.onReply(reply);
      return reply;
    } catch (error) {
      throw toHoldpointError(error);
    }
  }

  async callTool(run: RunState, transcript: Transcript, execution: ToolExecution): Promise<ToolOutcome> {
    const input = toCallToolInput(run, transcript, execution);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.untilAborted(this.execute(input, execution));
      } catch (error) {
        if (!isNotStarted(error)) return toToolOutcome(error);
        // A host has executed the call: its result stands, though no worker could look at it.
        if (execution.result && (this.aborted || attempt >= MAX_NOT_STARTED))
          return { is: 'result', result: execution.result };
        if (attempt >= MAX_NOT_STARTED)
          return { is: 'result', result: errorResult(notStartedText(error, input.call.name)) };
        if (this.aborted) return { is: 'cancelled', ran: false };
        await this.pause(Math.min(2 ** attempt * 500, 30_000));
        if (this.aborted) return { is: 'cancelled', ran: false };
      }
    }
  }

  private execute(input: CallToolInput, { call, attempts }: ToolExecution): Promise<ToolOutcome> {
    const { route } = call;
    const budget = route.to === 'tool' && route.timeoutMs > 0 ? route.timeoutMs : 0;
    const { callTool } = activities({
      startToCloseTimeout: budget > 0 ? budget + BUDGET_MARGIN_MS : DEFAULT_TOOL_TIMEOUT_MS,
      cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
      retry: { maximumAttempts: attempts, initialInterval: 1000 },
      ...(route.to === 'tool' && route.taskQueue !== undefined && { taskQueue: route.taskQueue }),
    });
    return this.scope.run(() => callTool(input));
  }

  /**
   * An aborted call is waited for, but not for ever (R34). No race against the scope's own promise: whatever
   * waits on that is kept, stack and all, as long as the run is in memory.
   */
  private untilAborted(outcome: Promise<ToolOutcome>): Promise<ToolOutcome> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => resolve({ is: 'cancelled', ran: true });
      const ended = (): void => {
        this.inFlight.delete(giveUp);
        if (this.inFlight.size === 0) this.grace.set(undefined);
      };
      this.inFlight.add(giveUp);
      outcome.then(ended, ended);
      outcome.then(resolve, reject);
    });
  }

  private async pause(ms: number): Promise<void> {
    try {
      await this.scope.run(() => sleep(ms));
    } catch (error) {
      if (!isCancellation(error)) throw error;
    }
  }

  delegate(run: RunState, transcript: Transcript, call: CallState): string {
    const { workflowId } = workflowInfo();
    const runId = subAgentRunId(this.host.children.prefixOf(run), run.turn, call.index);
    const delegation = delegationOf(run, transcript, call, workflowId);
    const startedAt = this.now();
    const ended = (result: ToolResult): void => {
      takeDelegated(run, call, result);
      const event = delegatedEvent(run, call, result, { startedAt, endedAt: this.now() });
      this.host.onEvent(run, event, true);
      this.wake.notify();
    };
    const work = delegation
      ? this.agents.run(() => runSubAgent(runId, delegation, this.host.children, this.host.lists))
      : Promise.resolve({ result: errorResult(tooDeepText(call.name)), usage: NO_USAGE });
    const giveUp = (): void => ended(errorResult(unknownOutcomeText(call.name, 'cancelled')));
    this.inFlight.add(giveUp);
    void work.then(({ result, usage }) => {
      this.inFlight.delete(giveUp);
      run.usage = addUsage(run.usage, usage);
      if (call.phase.is === 'delegated') ended(result);
    });
    return runId;
  }

  recall(): void {
    this.agents.cancel();
  }

  async waitFor(run: RunState, request: Request): Promise<WaitForOutcome> {
    const timeoutMs = run.waitFor?.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS;
    const { waitFor } = activities({
      startToCloseTimeout: timeoutMs + BUDGET_MARGIN_MS,
      // After a worker's death it is asked again, within the same time (R32).
      scheduleToCloseTimeout: timeoutMs + 2 * BUDGET_MARGIN_MS,
      cancellationType: ActivityCancellationType.TRY_CANCEL,
      retry: { initialInterval: 1000, maximumInterval: 10_000 },
    });
    const scope = new CancellationScope();
    this.asking.set(request.id, scope);
    try {
      return await scope.run(() => waitFor({ run: toRunRef(run), request }));
    } catch (error) {
      const failure = toHoldpointError(error);
      // No worker, or one that never came back: the request stays as it is and the run halts.
      if (failure.type !== 'Holdpoint.Run.WaitForFailed') return { is: 'none' };
      throw failure;
    } finally {
      this.asking.delete(request.id);
    }
  }

  dropWaitFor(requestId: string): void {
    this.asking.get(requestId)?.cancel();
  }
}

function activities(options: ActivityOptions): Activities {
  return proxyActivities<Activities>({
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    taskQueue: workflowInfo().taskQueue,
    ...options,
  });
}

function toCallToolInput(run: RunState, transcript: Transcript, execution: ToolExecution): CallToolInput {
  const { call, mode, answer, round, result } = execution;
  const { route } = call;
  const input = call.edited ?? (isHeldRoute(route) ? route.input : undefined);
  return {
    run: toRunRef(run),
    call: {
      index: call.index,
      id: call.id,
      name: call.name,
      arguments: toArgumentsRef(transcript, call),
      ...(input && { input }),
    },
    mode,
    ...(call.recheck && { edited: true }),
    ...(answer && { answer }),
    ...(round && { round }),
    ...(result && { result }),
    timeoutMs: route.to === 'tool' ? route.timeoutMs : 0,
  };
}
