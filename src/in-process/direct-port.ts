import type { Agent } from '../agent/agent';
import { delegatedEvent, type RunEventDraft } from '../agent/event';
import { errorMessage } from '../agent/errors';
import { idempotencyKeyOf } from '../agent/ids';
import { advancePolicies, expireRequests } from '../agent/intake';
import { isNoResult } from '../agent/no-result';
import { nextDue, rawArguments } from '../agent/open-request';
import type { Port, ToolExecution, WaitForOutcome } from '../agent/port';
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
import { delegatedResult, delegationOf, subAgentRunId, tooDeepText } from '../agent/delegation';
import { addUsage } from '../agent/model';
import { newRun } from '../agent/new-run';
import { runLoop } from '../agent/run-loop';
import { outcomeOf } from '../agent/run-result';
import { errorResult } from '../agent/tool';
import { generateWithRetries } from '../models/retry';
import { executeCall } from '../tools/execute-call';
import { resolveInstructions } from '../tools/instructions';
import { takeTurn } from '../tools/take-turn';
import { EventStream } from './event-stream';
import { HostAsking } from './host-asking';
import { LongTimer } from './long-timer';
import type { Setting } from './options';

/** The driver of the loop without Temporal: every effect is a direct call, every wait a promise. */
export class DirectPort implements Port {
  private readonly controller = new AbortController();
  private readonly agents = new AbortController();
  private readonly asking = new Map<string, HostAsking>();
  private readonly budget = new LongTimer(() => this.stop({ for: 'limit', limit: 'timeoutMs' }));
  private readonly deadline = new LongTimer(() => this.expire());
  private readonly closed = new AbortController();
  private activeSince: number | undefined;
  private waiters: (() => void)[] = [];

  constructor(
    private readonly run: RunState,
    private readonly agent: Agent,
    private readonly setting: Setting,
    private readonly events: EventStream,
    readonly earlier: readonly ReceiptRecord[] = [],
    /** The agents that called this one, one within the other. */
    private readonly callers: readonly string[] = [],
  ) {
    this.deadline.set(nextDue(run));
  }

  /** Stops the run: nothing new starts, what is in flight is aborted. The first stop counts. */
  stop(stop: Stop, reason?: unknown): void {
    this.run.stop ??= stop;
    this.controller.abort(reason);
    this.notify();
  }

  /** Cancels the run when this signal aborts, for as long as it is driven. */
  cancelWith(signal: AbortSignal): void {
    const onAbort = () => this.stop({ for: 'cancel' }, signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { signal: this.closed.signal });
  }

  /** The run has changed from outside. */
  notify(): void {
    for (const waiter of this.waiters.splice(0)) waiter();
  }

  close(): void {
    this.closed.abort();
    this.budget.set(undefined);
    this.deadline.set(undefined);
    this.events.reportAnswers();
  }

  now(): number {
    return Date.now();
  }

  changed(): Promise<void> {
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  shouldYield(): boolean {
    return false;
  }

  report(run: RunState, event: RunEventDraft): void {
    this.events.report(event);
    if (event.type === 'request') this.deadline.set(nextDue(run));
  }

  setActive(run: RunState, active: boolean): void {
    const now = this.now();
    if (active) this.activeSince ??= now;
    else if (this.activeSince !== undefined) {
      run.activeMs += now - this.activeSince;
      this.activeSince = undefined;
    }
    const { timeoutMs } = run.limits;
    const since = this.activeSince;
    const isLimited = since !== undefined && timeoutMs !== undefined;
    this.budget.set(isLimited ? since + Math.max(0, timeoutMs - run.activeMs) : undefined);
  }

  async callModel(run: RunState, transcript: Transcript): Promise<ModelReply> {
    const { signal } = this.controller;
    const turn = this.turn(run, transcript);
    // A model that ignores its signal must not hold up the end of its run (R34).
    const aborted = new Promise<never>((_, reject) => {
      const onAbort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      turn.finally(() => signal.removeEventListener('abort', onAbort)).catch(() => undefined);
    });
    return Promise.race([turn, aborted]);
  }

  private async turn(run: RunState, transcript: Transcript): Promise<ModelReply> {
    const { agent, setting } = this;
    const { hooks, waitFor, waitForTimeoutMs: timeoutMs, retries } = setting;
    const { runId, conversationId, turn, context } = run;
    // Resolved once per run; a conversation's next ask resolves its own.
    const known = turn > 1 ? transcript.system : undefined;
    const about = { runId, ...(conversationId !== undefined && { conversationId }), context };
    const system = known ? known.text : ((await resolveInstructions(agent, about)) ?? '');
    const { provider, model } = setting.models.resolve(agent.model);
    const reply = await takeTurn({
      agent,
      hooks,
      waitFor: waitFor && { timeoutMs },
      transcript: transcript.entries.map((entry) => entry.message),
      system: system === '' ? undefined : system,
      generate: (request) => generateWithRetries(provider, { ...request, model }, { retries }),
      run: { ...about, turn },
      signal: this.controller.signal,
    });
    return { ...reply, ...(!known && { system: { text: system, digest: '' } }) };
  }

  async callTool(run: RunState, transcript: Transcript, execution: ToolExecution): Promise<ToolOutcome> {
    const { call, turn, mode, answer, round, result } = execution;
    const { route } = call;
    const { agent, setting, controller } = this;
    const executing = executeCall({
      tool: agent.tools.find((tool) => tool.name === call.name),
      name: call.name,
      hooks: setting.hooks,
      arguments: rawArguments(transcript, call),
      input: call.edited ?? (isHeldRoute(route) ? route.input : undefined),
      mode,
      edited: call.recheck,
      answer,
      round,
      result,
      timeoutMs: route.to === 'tool' ? route.timeoutMs : 0,
      ctx: {
        runId: run.runId,
        ...(run.conversationId !== undefined && { conversationId: run.conversationId }),
        agent: agent.name,
        turn,
        context: run.context,
        callId: call.id,
        attempt: 1,
        idempotencyKey: idempotencyKeyOf(run.seed, turn, call.index),
        signal: controller.signal,
        reportProgress: (...told) =>
          this.events.reportProgress({ turn, callId: call.id, tool: call.name }, told),
        now: this.now(),
      },
    });
    return executing.catch((error: unknown) => withoutResult(call.name, error));
  }

  /** In process a sub-agent's requests need a `waitFor`: a saved run is one run. */
  delegate(run: RunState, transcript: Transcript, call: CallState): string {
    const runId = subAgentRunId(run.runId, run.turn, call.index);
    const startedAt = this.now();
    void this.runSubAgent(run, transcript, call, runId).then((result) => {
      takeDelegated(run, call, result);
      this.report(run, delegatedEvent(run, call, result, { startedAt, endedAt: this.now() }));
      this.notify();
    });
    return runId;
  }

  private async runSubAgent(run: RunState, transcript: Transcript, call: CallState, runId: string) {
    const agent = this.agent.tools.find((tool) => tool.name === call.name)?.agent;
    const delegation = delegationOf(run, transcript, call, run.runId, this.callers);
    if (!agent || !delegation) return errorResult(tooDeepText(call.name));
    const { input, context, tenant, parent } = delegation;
    const about = { runId, seed: `${run.seed}.${run.turn}.${call.index}`, from: 0, now: this.now() };
    const child = newRun({ ...about, agent: agent.name, limits: agent.limits, context, tenant });
    const port = new DirectPort(child, agent, this.setting, new EventStream(child, {}), [], parent.path);
    port.cancelWith(AbortSignal.any([this.controller.signal, this.agents.signal]));
    await runLoop(child, { entries: [{ message: { role: 'user', content: input } }] }, port);
    port.close();
    run.usage = addUsage(run.usage, child.usage);
    if (child.status !== 'pending') return delegatedResult(agent.name, outcomeOf(child));
    const [open] = child.requests;
    return errorResult(
      `agent ${agent.name} waits for an answer (${open?.request.prompt ?? ''}); in process that needs a \`waitFor\``,
    );
  }

  recall(): void {
    this.agents.abort();
  }

  async waitFor(run: RunState, request: Request): Promise<WaitForOutcome> {
    const { waitFor, waitForTimeoutMs } = this.setting;
    if (!waitFor) return { is: 'none' };
    const { runId, conversationId, agent } = run;
    const about = { runId, ...(conversationId !== undefined && { conversationId }), agent };
    const asking = new HostAsking(waitFor, request, about, waitForTimeoutMs);
    this.asking.set(request.id, asking);
    return asking.outcome.finally(() => this.asking.delete(request.id));
  }

  dropWaitFor(requestId: string): void {
    this.asking.get(requestId)?.stop();
  }

  /** The deadline of an open request, or a step of its policy, has come while a host is being asked (R31). */
  private expire(): void {
    expireRequests(this.run, this.now());
    advancePolicies(this.run, this.now());
    this.deadline.set(nextDue(this.run));
    this.notify();
  }
}

/** Nothing is tried again in process: nobody would know how often. */
function withoutResult(name: string, error: unknown): ToolOutcome {
  const message = errorMessage(error);
  return isNoResult(error) && error.type === 'Holdpoint.Tool.OutcomeUnknown'
    ? { is: 'unknown', why: message }
    : { is: 'result', result: errorResult(`${name} was not started: ${message}`) };
}
