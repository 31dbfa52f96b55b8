import { HoldpointError } from '../../agent/errors';
import type { Request } from '../../agent/request';
import type { RunResult } from '../../agent/result';
import type { HoldpointClient } from '../../client/holdpoint-client';
import { offerTo } from '../capabilities';
import type { InputRequests } from '../input-request';
import { awaiting, stillRunning, toCallResult } from './agent-result';
import { withReasons } from './asked-again';
import { toElicitation } from './elicit-request';
import type { CallIdentity } from './request-state';
import type { AdmittedCall, CallRules, ServedCall } from './serve-call';

/** A run and the call that it is served to. */
export interface FollowedRun {
  readonly client: HoldpointClient;
  readonly runId: string;
  readonly about: CallIdentity;
  readonly call: AdmittedCall;
  readonly rules: CallRules;
}

/** How far a call is with its run. */
export interface Following {
  /** Rounds that were asked. */
  readonly round: number;
  /** The run is this call's alone: it ends with it. Default false. */
  readonly owned?: boolean;
}

/** The run is still there, and may halt later. */
const TOO_LONG: readonly string[] = ['Holdpoint.Client.WaitTimedOut', 'Holdpoint.Client.NoWorker'];

/** Waits for the run, and gives what it came to or what it asks for. */
export async function follow(run: FollowedRun, { round, owned = false }: Following): Promise<ServedCall> {
  const { client, runId, call, rules } = run;
  let result: RunResult;
  try {
    result = await client.waitForHalt(runId, { signal: call.signal, waitMs: rules.runWaitMs });
  } catch (error) {
    const tooLong = error instanceof HoldpointError && TOO_LONG.includes(error.type);
    if (owned && (call.signal.aborted || !tooLong)) await client.cancel(runId).catch(rules.report);
    if (!tooLong) throw error;
    if (call.idempotencyKey !== undefined) return stillRunning(runId);
    // Nobody could find it without a key: the state goes on with it, and asks nothing.
    return ask(run, round, {});
  }
  if (result.status !== 'pending') return { kind: 'result', result: toCallResult(result) };
  return askAbout(run, round + 1, result.requests);
}

/**
 * Asks the client's person about requests of the run, or says that nobody there can be asked. `reasons` say, by
 * request, why one is asked again.
 */
export async function askAbout(
  run: FollowedRun,
  round: number,
  requests: readonly Request[],
  reasons: ReadonlyMap<string, string> = new Map(),
): Promise<ServedCall> {
  const { call, runId } = run;
  if (call.principal?.mayAnswer === false) return awaiting(runId, requests, call);
  const offer = offerTo(elicitations(requests), call.capabilities);
  if (!offer.ok || Object.keys(offer.requests).length === 0) return awaiting(runId, requests, call);
  return ask(run, round, offer.requests, reasons);
}

function elicitations(requests: readonly Request[]): InputRequests {
  return Object.fromEntries(
    requests.flatMap((request) => {
      const asked = toElicitation(request);
      return asked ? [[request.id, asked]] : [];
    }),
  );
}

/** The state holds what is asked without the reasons, so that it can be compared with what is open. */
async function ask(
  { about, runId, rules }: FollowedRun,
  round: number,
  requests: InputRequests,
  reasons: ReadonlyMap<string, string> = new Map(),
): Promise<ServedCall> {
  const requestState = await rules.states.sign({ ...about, round, requests, runId });
  return { kind: 'input', requests: withReasons(requests, reasons), requestState };
}
