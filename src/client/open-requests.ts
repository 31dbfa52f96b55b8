import { HoldpointError } from '../agent/errors';
import { approversOf } from '../agent/policy';
import type { Request } from '../agent/request';
import type { ClientContext } from './client-context';
import type { Target } from './ids';
import { checkFilter, listWorkflows, type ListedWorkflow } from './lists';
import { mapLimited } from './map-limited';
import type { RequestsFilter } from './options';
import { isUnreadable, readable } from './readable';
import { ownIds } from './scope';
import { tryQueryState } from './snapshot';
import { TimeIsOver, WaitLimit } from './wait-limit';

const DEFAULT_RUNS = 1_000;
const CONCURRENCY = 10;
/** For all runs together: with no worker none of them answers, and the list is still wanted. */
const CONFIRM_MS = 10_000;
const BRIEF = { timeoutMs: 5_000 };

/** One open request with what is needed to answer it. */
export interface OpenRequestRow {
  readonly runId: string;
  readonly conversationId?: string;
  readonly agent: string;
  readonly tenant?: string;
  readonly request: Request;
  /** The model's ids of the calls that it is about. */
  readonly callIds: readonly string[];
  readonly openedAt?: string;
  /**
   * The run itself said so just now. False when no worker answered in time: the row is then what the run
   * last published, its prompt perhaps cut short and `data` left out; read it with `get` before acting on it.
   */
  readonly confirmed: boolean;
}

/** The requests that runs wait on, each confirmed by its run, because lists lag behind. */
export async function listOpenRequests(
  context: ClientContext,
  filter: RequestsFilter,
  limit: WaitLimit,
): Promise<OpenRequestRow[]> {
  checkFilter({ ...filter });
  const { agent, tenant, kind, approver } = filter;
  const runs = await listWorkflows(
    context,
    {
      waiting: true,
      ...(agent !== undefined && { agent }),
      ...(tenant !== undefined && { tenant }),
      ...(kind !== undefined && { kind }),
      ...(approver !== undefined && { approver }),
    },
    filter.limit ?? DEFAULT_RUNS,
    limit,
  );
  const { signal } = filter;
  const brief = new WaitLimit(
    context.temporal,
    // What the runs do not say in time is shown as the list has it, not left out.
    { waitMs: Math.max(1, Math.min(CONFIRM_MS, limit.leftMs)), ...(signal && { signal }) },
    CONFIRM_MS,
  );
  const unreadable: HoldpointError[] = [];
  const rows = await mapLimited(runs, CONCURRENCY, (run) =>
    rowsOf(context, run, brief).catch((error: unknown) => {
      if (!isUnreadable(error)) throw error;
      unreadable.push(error);
      return [];
    }),
  );
  tellUnreadable(context, unreadable, rows.flat().length);
  return rows
    .flat()
    .filter(({ request }) => kind === undefined || request.kind === kind)
    .filter((row) => approver === undefined || !row.confirmed || asksFor(row.request, approver));
}

/** One run that cannot be read must not hide the others; a client that can read none has to say so. */
function tellUnreadable(
  { logger }: ClientContext,
  [first, ...others]: readonly HoldpointError[],
  readable: number,
): void {
  if (!first) return;
  if (readable === 0) throw first;
  const more = others.length === 0 ? '' : ` So do ${others.length} others.`;
  logger.warn({ ...first.data }, `A run that waits is left out. ${first.message}${more}`);
}

/** A row that only lists know does not say whom it asks; the list found its run by this approver. */
function asksFor({ policy }: Request, approver: string): boolean {
  return approversOf(policy)?.includes(approver) ?? false;
}

async function rowsOf(
  context: ClientContext,
  { workflowId, run, memo, unread }: ListedWorkflow,
  limit: WaitLimit,
): Promise<OpenRequestRow[]> {
  const { runId, conversationId, agent, tenant } = run;
  const target: Target = { workflowId, ...(conversationId === undefined ? { runId } : { conversationId }) };
  const snapshot = await confirm(context, target, limit);
  if (snapshot === 'gone') return [];
  const of = ownIds(context, {
    runId: snapshot?.runId ?? runId,
    ...(conversationId !== undefined && { conversationId }),
    agent: snapshot?.agent ?? agent,
    ...(tenant !== undefined && { tenant }),
  });
  if (snapshot) return snapshot.requests.map((open) => ({ ...of, ...open, confirmed: true }));
  readable(unread, target);
  return (memo?.requests ?? []).map((request) => ({ ...of, request, callIds: [], confirmed: false }));
}

async function confirm(context: ClientContext, target: Target, limit: WaitLimit) {
  try {
    return await tryQueryState(context, target, limit, BRIEF);
  } catch (error) {
    if (error instanceof TimeIsOver) return undefined;
    if (isUnreadable(error)) throw error;
    // Erased since it was listed, or a stranger under our workflow's name.
    if (error instanceof HoldpointError) return 'gone';
    throw error;
  }
}
