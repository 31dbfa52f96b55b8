import type { Message } from '../agent/message';
import type { Receipt } from '../agent/receipt';
import type { RunFacts, RunOutcome, RunResult } from '../agent/result';
import { toolCallRecords } from '../agent/run-result';
import type { Request } from '../agent/request';
import type { RunStatus, StandingGrant } from '../agent/run-state';
import type { RunSnapshot } from '../agent/wire';
import { without } from '../agent/without';

/** A run in the middle of its work. What it has asked so far can be answered already (R26). */
export interface RunningView extends RunFacts {
  readonly status: 'running';
  readonly pending?: Request;
  readonly requests?: readonly Request[];
  readonly limit?: never;
  readonly error?: never;
}

/** Where a run stands now: its result, or in the middle of its work. */
export type RunView = RunResult | RunningView;

/** A result without its messages: the engine's own outcome, or what a snapshot says. */
export type Summary = Omit<RunOutcome, 'status'> & { readonly status: RunStatus };

/** A snapshot as a result tells it, without the transcript (R35). */
export function summaryOf(snapshot: RunSnapshot): Summary {
  const requests = snapshot.requests.map((open) => open.request);
  const [pending] = requests;
  const { output, limit, error } = snapshot;
  return {
    runId: snapshot.runId,
    status: snapshot.status,
    text: snapshot.text,
    ...(output !== undefined && { output }),
    toolCallCount: snapshot.toolCallCount,
    turns: snapshot.turns,
    usage: snapshot.usage,
    model: snapshot.model,
    ...(limit && { limit }),
    ...(pending && { pending, requests }),
    ...(error && { error }),
  };
}

/** `messages` are the transcript's first ones, the whole conversation's; the calls are the run's own (R39). */
export function toRunView(
  summary: Summary,
  snapshot: RunSnapshot | undefined,
  messages: readonly Message[],
): RunView {
  const { from, marks, requests } = snapshot ?? { from: 0, marks: [], requests: [] };
  const said = snapshot?.truncated && messages.slice(from).findLast(({ role }) => role === 'assistant');
  const grants = standingGrants(summary, snapshot);
  const view: Summary & RunFacts = {
    ...summary,
    // A text that had to be cut is whole in the transcript.
    ...(said && typeof said.content === 'string' && { text: said.content }),
    messages,
    toolCalls: toolCallRecords(
      messages.slice(from),
      from,
      marks,
      requests.map((open) => open.request),
    ),
    ...(snapshot && { agent: snapshot.agent, receipts: ownReceipts(snapshot) }),
    ...(snapshot && snapshot.rejections.length > 0 && { rejections: snapshot.rejections }),
    ...(grants.length > 0 && { grants }),
  };
  // Outcome and snapshot hold a status together with its fields (R35).
  return view as RunView;
}

/** A run that was cut off could not say that nothing holds any more. */
function standingGrants({ status }: Summary, snapshot: RunSnapshot | undefined): StandingGrant[] {
  if (status !== 'running' && status !== 'pending') return [];
  return (snapshot?.grants ?? []).filter(({ inForce }) => inForce).map((grant) => without(grant, 'inForce'));
}

/** A conversation keeps the receipts of all its asks. Asks do not overlap, so the time tells whose one is. */
function ownReceipts(snapshot: RunSnapshot): Receipt[] {
  const receipts = snapshot.receipts.map((accepted) => accepted.receipt);
  return snapshot.conversation ? receipts.filter((receipt) => isWithin(receipt, snapshot)) : receipts;
}

/** Whether an answer was accepted during a run. No run has a request open at the moment it starts. */
export function isWithin(
  { at }: Receipt,
  { startedAt, endedAt }: Pick<RunSnapshot, 'startedAt' | 'endedAt'>,
): boolean {
  const time = Date.parse(at);
  return time > Date.parse(startedAt) && (endedAt === undefined || time <= Date.parse(endedAt));
}
