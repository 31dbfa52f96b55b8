/**
 * The loop of every run, durable or in process. It knows nothing but promises and its port; whatever has
 * an effect, a clock or a length of time is the driver's.
 *
 * 1. The model is called only when every earlier call has exactly one result (R16, R27).
 * 2. What a model call saw is never changed afterwards: the transcript only grows.
 * 3. It returns with nothing in flight: whatever is left is in `run` and `transcript`, plain JSON.
 */
import { balanceProblem } from './balance';
import { callMarker } from './call-marks';
import { HoldpointError, toErrorInfo } from './errors';
import { endEvent } from './event';
import { closeRequests, refuseHeld } from './intake';
import { DEFAULT_MAX_TURNS, type LimitName } from './limits';
import { toolCallsOf, toolMessage } from './message';
import { addUsage } from './model';
import type { Port } from './port';
import { notRunText } from './result-text';
import type { ModelReply, RunState, RunStatus, Transcript } from './run-state';
import { settleCalls } from './settle-calls';

/**
 * `ended`: the run has its final status. `halted`: it waits for answers; call again after one.
 * `yielded`: between turns, because the driver asked; call again to go on.
 */
export type LoopReturn = 'ended' | 'halted' | 'yielded';

export async function runLoop(run: RunState, transcript: Transcript, port: Port): Promise<LoopReturn> {
  run.status = 'running';
  port.setActive(run, true);
  try {
    return await runTurns(run, transcript, port);
  } catch (error) {
    end(run, transcript, port, 'failed');
    run.error = toErrorInfo(error);
    return 'ended';
  } finally {
    port.setActive(run, false);
  }
}

async function runTurns(run: RunState, transcript: Transcript, port: Port): Promise<LoopReturn> {
  for (;;) {
    if (run.calls.length > 0) {
      const outcome = await settleCalls(run, transcript, port);
      if (outcome === 'halted') {
        run.status = 'pending';
        return 'halted';
      }
      closeTurn(run, transcript);
    }
    if (run.stop) return endStopped(run, transcript, port);
    deliverInbox(run, transcript);
    const limit = reachedLimit(run);
    if (limit) {
      run.limit = limit;
      return end(run, transcript, port, 'incomplete');
    }
    if (port.shouldYield(run, transcript)) return 'yielded';
    // The driver may have ended the run instead, because its transcript has outgrown what can be carried.
    if (run.limit) return end(run, transcript, port, 'incomplete');
    assertBalanced(transcript);
    const reply = await callModel(run, transcript, port);
    if (!reply) return endStopped(run, transcript, port);
    takeReply(run, transcript, reply);
    port.setActive(run, true);
    if (run.calls.length === 0 && run.inbox.length === 0) {
      if (reply.output !== undefined) run.output = reply.output;
      return run.stop ? endStopped(run, transcript, port) : end(run, transcript, port, 'done');
    }
  }
}

/** `undefined` when the run was stopped meanwhile. */
async function callModel(run: RunState, transcript: Transcript, port: Port): Promise<ModelReply | undefined> {
  run.turn += 1;
  run.turnsSinceInput += 1;
  const startedAt = new Date(port.now()).toISOString();
  let reply: ModelReply;
  try {
    reply = await port.callModel(run, transcript);
  } catch (error) {
    if (run.stop) return undefined;
    throw error;
  }
  port.report(run, {
    type: 'model',
    turn: run.turn,
    model: reply.model,
    usage: reply.usage,
    finishReason: reply.finishReason,
    startedAt,
    endedAt: new Date(port.now()).toISOString(),
  });
  return reply;
}

/** Calls of one message that are carried out: the engine takes 2,000 activities at once, and each costs time. */
const MAX_CALLS = 256;

/** The assistant message joins the transcript, and its calls become the open turn (R13). */
function takeReply(run: RunState, transcript: Transcript, reply: ModelReply): void {
  const { message, digest, base, system, routes, usage, model, waitFor, limits } = reply;
  transcript.entries.push({ message, ...(digest !== undefined && { digest }) });
  if (base) transcript.base = base;
  // Without a text the prompt is the one that the transcript has already.
  if (system?.text !== undefined) transcript.system = { text: system.text, digest: system.digest };
  run.usage = addUsage(run.usage, usage);
  run.model = model;
  run.text = message.content ?? '';
  if (limits) run.limits = { ...limits, ...run.limits };
  // The outermost run's host is asked about a sub-agent's requests.
  if (waitFor && !run.parent) run.waitFor = waitFor;
  else delete run.waitFor;
  if (reply.notify) run.notify = true;
  else delete run.notify;
  const { maxToolCalls = Infinity } = run.limits;
  run.calls = toolCallsOf(message).map((call, index) => {
    const { name } = call.function;
    const allowed = run.toolCallCount < maxToolCalls;
    if (allowed) run.toolCallCount += 1;
    else run.limit = 'maxToolCalls';
    const why = allowed ? `more than ${MAX_CALLS} calls at once` : `limit maxToolCalls of ${maxToolCalls}`;
    return {
      index,
      id: call.id,
      name,
      route:
        allowed && index < MAX_CALLS && routes[index]
          ? routes[index]
          : { to: 'error', text: notRunText(name, why) },
      phase: { is: 'new' },
      hold: 0,
      requests: 0,
    };
  });
}

/** Every call is settled: the results join the transcript in call order (R14). */
function closeTurn(run: RunState, transcript: Transcript): void {
  const mark = callMarker(run);
  for (const call of run.calls) {
    const { id, phase } = call;
    if (phase.is !== 'settled')
      throw new HoldpointError(
        'Holdpoint.Run.Unbalanced',
        `Call ${JSON.stringify(id)} has no result at the end of its turn.`,
      );
    const { result, digest } = phase;
    mark(transcript.entries.length, call, result);
    transcript.entries.push({
      message: toolMessage(id, result.output),
      ...(digest !== undefined && { digest }),
    });
  }
  run.calls = [];
}

/** Messages from outside follow the turn's results, in order, and make the turn limit count anew (R36, R41). */
function deliverInbox(run: RunState, transcript: Transcript): void {
  if (run.inbox.length === 0) return;
  for (const { value: message } of run.inbox.splice(0)) transcript.entries.push({ message });
  run.turnsSinceInput = 0;
}

function reachedLimit({ limits, limit, turn, turnsSinceInput, usage }: RunState): LimitName | undefined {
  if (limit) return limit;
  if (turnsSinceInput >= (limits.maxTurns ?? DEFAULT_MAX_TURNS)) return 'maxTurns';
  if (turn >= (limits.maxTotalTurns ?? Infinity)) return 'maxTotalTurns';
  if (usage.totalTokens >= (limits.maxTokens ?? Infinity)) return 'maxTokens';
  return undefined;
}

/** Before every model call. What the last one saw was checked then. */
function assertBalanced({ entries, base }: Transcript): void {
  const problem = balanceProblem(
    entries.map((entry) => entry.message),
    base?.length ?? 0,
  );
  if (problem !== undefined)
    throw new HoldpointError(
      'Holdpoint.Run.Unbalanced',
      `The transcript is unbalanced: ${problem}. This is a defect; please report it.`,
    );
}

function endStopped(run: RunState, transcript: Transcript, port: Port): LoopReturn {
  const { stop } = run;
  if (!stop || stop.for === 'cancel') return end(run, transcript, port, 'cancelled');
  if (stop.for === 'limit') {
    run.limit = stop.limit;
    return end(run, transcript, port, 'incomplete');
  }
  run.error = stop.error;
  return end(run, transcript, port, 'failed');
}

function end(run: RunState, transcript: Transcript, port: Port, status: RunStatus): LoopReturn {
  // What somebody has said is not lost: the next ask, or a run that goes on from here, sees it (R41).
  if (run.calls.length === 0) deliverInbox(run, transcript);
  const now = port.now();
  closeRequests(run, 'cancelled', 'cancel', now);
  // Before the end is on record: what never opened was unknown, not late (R30).
  refuseHeld(run, now);
  run.status = status;
  run.endedAt = now;
  port.report(run, endEvent(run));
  return 'ended';
}
