import { advanceCalls, isDelegable, nextExecution, settleReturned, takeOutcome } from './call-steps';
import { HoldpointError, errorMessage, toErrorInfo } from './errors';
import { acceptHostAnswer, closeRequests, refuseHeld } from './intake';
import { jsonSize } from './json';
import type { Port, ToolExecution } from './port';
import { notFinishedText, notRunText } from './result-text';
import { isHeldRoute } from './route';
import type { CallState, OpenRequest, RunState, Stop, Transcript } from './run-state';
import { errorResult } from './tool';

/**
 * Works on the open turn's calls until each has its result (`settled`), or only requests are left to wait
 * for (`halted`). Calls run concurrently; an exclusive one alone (R14). An answer that comes meanwhile
 * lets its call go on at once (R26).
 */
export async function settleCalls(
  run: RunState,
  transcript: Transcript,
  port: Port,
): Promise<'settled' | 'halted'> {
  const executions = new Map<CallState, Promise<void>>();
  const bytesInFlight = new Map<CallState, number>();
  const askings = new Map<string, Promise<void>>();

  for (;;) {
    if (!run.stop) {
      advanceCalls(run, transcript, port);
      delegateCalls();
      launchCalls();
      askHosts();
    }
    dropAnswered();
    const delegated = run.calls.flatMap(({ phase }) => (phase.is === 'delegated' ? phase : []));
    const working = delegated.some(({ halted }) => !halted);
    if (run.stop && executions.size === 0 && delegated.length === 0) {
      closeOpenCalls(run, transcript, run.stop, port);
      return 'settled';
    }
    if (executions.size === 0 && run.calls.every((call) => call.phase.is === 'settled')) return 'settled';
    if (executions.size === 0 && askings.size === 0 && !working && !run.stop) {
      refuseHeld(run, port.now());
      return 'halted';
    }
    // Time that only a host's `waitFor` takes is waiting, not activity (R36).
    port.setActive(run, executions.size > 0 || working);
    await Promise.race([port.changed(), ...executions.values(), ...askings.values()]);
    port.setActive(run, true);
  }

  function delegateCalls(): void {
    for (const call of run.calls) {
      if (!isDelegable(call)) continue;
      const childId = port.delegate(run, transcript, call);
      call.phase = { is: 'delegated', childId, seq: 0, halted: false, known: [] };
    }
  }

  function launchCalls(): void {
    for (const call of run.calls) {
      const execution = nextExecution(run, call);
      if (!execution) continue;
      const exclusive = execution.mode === 'run' && isExclusive(call);
      // In call order: a later call does not overtake an exclusive one that waits for its turn.
      if (exclusive && executions.size > 0) return;
      if ([...executions.keys()].some(isExclusive)) return;
      const bytes = bytesOf(execution);
      if (executions.size > 0 && bytes > 0 && sumOf(bytesInFlight) + bytes > MAX_BYTES_IN_FLIGHT) return;
      bytesInFlight.set(call, bytes);
      call.phase = { is: 'running' };
      executions.set(call, execute(execution));
      if (exclusive) return;
    }
  }

  async function execute(execution: ToolExecution): Promise<void> {
    const { call } = execution;
    const startedAt = new Date(port.now()).toISOString();
    const outcome = await port.callTool(run, transcript, execution);
    executions.delete(call);
    bytesInFlight.delete(call);
    takeOutcome(run, transcript, execution, outcome, port);
    const pending = ['suspended', 'round', 'asks'].includes(outcome.is);
    port.report(run, {
      type: 'tool',
      turn: run.turn,
      callId: call.id,
      name: call.name,
      isError: !pending && (outcome.is !== 'result' || outcome.result.isError),
      pending,
      startedAt,
      endedAt: new Date(port.now()).toISOString(),
    });
  }

  function askHosts(): void {
    if (!run.waitFor) return;
    for (const open of run.requests) {
      if (open.waitFor) continue;
      open.waitFor = 'asked';
      askings.set(open.request.id, askHost(open));
    }
  }

  async function askHost({ request }: OpenRequest): Promise<void> {
    let stop: Stop | undefined;
    try {
      const outcome = await port.waitFor(run, request);
      // An answer by another way was first: what the host says now is ignored (R32).
      if (!askings.has(request.id)) return;
      if (outcome.is === 'answer') {
        const about = { now: port.now(), earlier: port.earlier };
        const accepted = acceptHostAnswer(run, request.id, outcome.answer, about);
        if (!accepted.ok) stop = waitForFailure(accepted.error);
      }
    } catch (error) {
      if (askings.has(request.id)) stop = waitForFailure(error);
    }
    askings.delete(request.id);
    if (!stop) return;
    run.stop ??= stop;
    // A sub-agent may be waiting for an answer that nobody will give any more.
    port.recall();
  }

  function dropAnswered(): void {
    for (const id of [...askings.keys()]) {
      if (!run.stop && run.requests.some((open) => open.request.id === id)) continue;
      askings.delete(id);
      port.dropWaitFor(id);
    }
  }
}

/**
 * All that a workflow's step starts travels in one message of 4 MB. Measured: five answers of one mebibyte at once,
 * and the step fails, again and again. The others start when there is room.
 */
const MAX_BYTES_IN_FLIGHT = 1_572_864;

/** What may be large of what an execution takes along; the model's own arguments go by reference. */
function bytesOf({ call: { edited, route }, answer, round, result }: ToolExecution): number {
  const input = edited ?? (isHeldRoute(route) ? route.input : undefined);
  const parts = [input, answer, round, result].filter((part) => part !== undefined);
  return parts.length > 0 ? jsonSize(parts) : 0;
}

function sumOf(bytes: ReadonlyMap<CallState, number>): number {
  return [...bytes.values()].reduce((sum, more) => sum + more, 0);
}

function isExclusive({ route }: CallState): boolean {
  return route.to === 'tool' && route.exclusive === true;
}

function waitForFailure(error: unknown): Stop {
  const failure =
    error instanceof HoldpointError && error.type === 'Holdpoint.Run.WaitForFailed'
      ? error
      : new HoldpointError('Holdpoint.Run.WaitForFailed', errorMessage(error), {}, { cause: error });
  return { for: 'failure', error: toErrorInfo(failure) };
}

/** The run stops: requests close, and every call that is still open gets a result that says so (R16, R34). */
function closeOpenCalls(run: RunState, transcript: Transcript, stop: Stop, port: Port): void {
  const why =
    stop.for === 'limit' ? `limit ${stop.limit}` : stop.for === 'cancel' ? 'cancelled' : 'the run failed';
  const reason = stop.for === 'cancel' ? stop.reason : undefined;
  closeRequests(run, reason ?? 'cancelled', 'cancel', port.now());
  for (const call of run.calls) {
    settleReturned(transcript, call);
    if (call.phase.is === 'settled') continue;
    const text = call.round ? notFinishedText(call.name, why) : notRunText(call.name, why);
    call.phase = { is: 'settled', result: errorResult(text) };
  }
}
