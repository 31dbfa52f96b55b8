/** What a sub-agent tells the run that called it about the requests that it waits on. */
import { MAX_ID_LENGTH } from './answer';
import { isRecord, jsonSize, type JsonSchema } from './json';
import { requestProblem, toRequestDraft, type Request, type RequestDraft } from './request';
import { isHeldRoute, type Route } from './route';
import { callsWaitingOn } from './open-request';
import type { CallState, OpenRequest, RunState, WaitPurpose } from './run-state';

/** Sent each time that something of it changes. */
export interface ChildReport {
  /** The sub-agent's run id. */
  readonly childId: string;
  /** Grows from report to report. */
  readonly seq: number;
  /** It waits for answers alone. */
  readonly halted: boolean;
  /** All that it waits on; where there is `gone`, what has opened since the report before. */
  readonly requests: readonly ReportedRequest[];
  /** Ids of requests of earlier reports that are not open any more. */
  readonly gone?: readonly string[];
  /** Beside `gone`: how many of its calls wait on a request in all. */
  readonly waiting?: number;
}

export interface ReportedRequest {
  readonly request: Request;
  readonly purpose: WaitPurpose;
  /** The calls that wait on it. */
  readonly calls: readonly ReportedCall[];
}

/** What an answer to a call is checked against. An edit stays below: here it would pass for the next approver's own. */
export interface ReportedCall {
  readonly id: string;
  readonly name: string;
  readonly to: 'relay' | 'tool' | 'agent';
  readonly inputSchema?: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** The server takes 2 MB, half of which the requests may need. A schema that is left out is checked below. */
const MAX_SCHEMA_BYTES = 262_144;

/**
 * The report of a sub-agent's run. `told` are the ids of what its last report left open: hundreds of requests, each
 * answered by itself, would otherwise travel hundreds of times each.
 */
export function reportOf(
  run: RunState,
  seq: number,
  halted: boolean,
  told?: ReadonlySet<string>,
): ChildReport {
  let room = MAX_SCHEMA_BYTES;
  const reported = (call: CallState): ReportedCall => {
    const whole = reportedCall(call);
    room -= jsonSize(whole);
    return room < 0 ? { id: whole.id, name: whole.name, to: whole.to } : whole;
  };
  return {
    childId: run.runId,
    seq,
    halted,
    requests: run.requests
      .filter(({ request }) => !told?.has(request.id))
      .map((open) => ({
        request: { ...open.request, path: [run.agent, ...(open.guest ? (open.request.path ?? []) : [])] },
        purpose: open.purpose,
        calls: callsWaitingOn(run, open.request.id).map(reported),
      })),
    ...(told && {
      gone: [...told].filter((id) => !run.requests.some(({ request }) => request.id === id)),
      waiting: waitingCalls(run, run.requests),
    }),
  };
}

/** How many calls wait on these requests. */
export function waitingCalls(run: RunState, requests: readonly OpenRequest[]): number {
  return requests.reduce((sum, { request }) => sum + callsWaitingOn(run, request.id).length, 0);
}

function reportedCall({ id, name, route }: CallState): ReportedCall {
  if (!isHeldRoute(route)) return { id, name, to: 'tool' };
  const { to, inputSchema } = route;
  const outputSchema = route.to === 'relay' ? route.outputSchema : undefined;
  return { id, name, to, ...(inputSchema && { inputSchema }), ...(outputSchema && { outputSchema }) };
}

/** A reported call as the run above keeps it: it waits, and nothing else is known of it. */
export function toCallState(
  { id, name, to, inputSchema, outputSchema }: ReportedCall,
  index: number,
  requestId: string,
  purpose: WaitPurpose,
): CallState {
  const held = inputSchema ? { inputSchema } : {};
  const routes: Readonly<Record<ReportedCall['to'], Route>> = {
    relay: { to: 'relay', ...held, ...(outputSchema && { outputSchema }) },
    tool: { to: 'tool', timeoutMs: 0, ...held },
    agent: { to: 'agent', agent: '', ...held },
  };
  const phase = { is: 'waiting', requestId, purpose } as const;
  return { index, id, name, route: routes[to], phase, hold: 0, requests: 0 };
}

/** Reads a report from anything that anybody may have signalled: nothing of it is kept but what has its shape. */
export function readReport(raw: unknown): ChildReport | undefined {
  if (!isRecord(raw)) return undefined;
  const { childId, seq, halted, requests, gone, waiting } = raw;
  if (typeof childId !== 'string' || typeof seq !== 'number' || typeof halted !== 'boolean') return undefined;
  if (!Array.isArray(requests)) return undefined;
  const isPart = gone !== undefined || waiting !== undefined;
  if (isPart && !(Array.isArray(gone) && typeof waiting === 'number')) return undefined;
  const read = requests.map(readRequest);
  const known = read.filter((one) => one !== undefined);
  if (known.length < read.length) return undefined;
  return {
    childId,
    seq,
    halted,
    requests: known,
    ...(Array.isArray(gone) && { gone: gone.filter((id) => typeof id === 'string') }),
    ...(typeof waiting === 'number' && { waiting }),
  };
}

function readRequest(raw: unknown): ReportedRequest | undefined {
  if (!isRecord(raw)) return undefined;
  const { request, purpose, calls } = raw;
  if (!isIdentified(request) || !isPurpose(purpose) || !Array.isArray(calls)) return undefined;
  const read = calls.map(readCall);
  const known = read.filter((one) => one !== undefined);
  if (known.length !== read.length) return undefined;
  const { id, path } = request;
  const agents = Array.isArray(path) ? path.filter((agent) => typeof agent === 'string') : [];
  return { request: { ...toRequestDraft(request), id, path: agents }, purpose, calls: known };
}

function readCall(raw: unknown): ReportedCall | undefined {
  if (!isRecord(raw)) return undefined;
  const { id, name, to, inputSchema, outputSchema } = raw;
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  if (to !== 'relay' && to !== 'tool' && to !== 'agent') return undefined;
  return {
    id,
    name,
    to,
    ...(isSchema(inputSchema) && { inputSchema }),
    ...(isSchema(outputSchema) && { outputSchema }),
  };
}

/** An id that no answer could name would keep the run waiting. */
function isIdentified(request: unknown): request is RequestDraft & { readonly id: string; path?: unknown } {
  if (!isRecord(request) || requestProblem(request) !== undefined) return false;
  const { id } = request;
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH;
}

const PURPOSES: readonly unknown[] = ['hold', 'relay', 'tool', 'reconcile', 'round'] satisfies WaitPurpose[];

function isPurpose(value: unknown): value is WaitPurpose {
  return PURPOSES.includes(value);
}

function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value);
}
