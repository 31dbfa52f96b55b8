import { approverValue, kindValue } from '../agent/search-value';
import { SEARCH_ATTRIBUTES, WORKFLOW_CONVERSATION, WORKFLOW_RUN } from '../agent/wire';
import { tenantOf, type Scope } from './ids';
import type { ListFilter } from './options';

const { agent: AGENT, status: STATUS, tenant: TENANT, waitingFor: WAITING_FOR } = SEARCH_ATTRIBUTES;

export interface RunFilter extends Pick<ListFilter, 'status' | 'agent' | 'tenant'> {
  /** Only open ones with an open request, whether halted or still at work on other calls (R26). */
  readonly waiting?: boolean;
  readonly kind?: string;
  /** A name or a role that a request asks for. */
  readonly approver?: string;
}

/** The server's list query for runs and conversations. An execution that continued as new is not a run's last. */
export function visibilityQuery(
  { status, agent, tenant, waiting, kind, approver }: RunFilter,
  scope?: Scope,
): string {
  const whose = scope ? tenantOf(scope) : tenant;
  return [
    `WorkflowType IN (${quoted(WORKFLOW_RUN)}, ${quoted(WORKFLOW_CONVERSATION)})`,
    ...(waiting ? [`ExecutionStatus = 'Running'`, `${WAITING_FOR} IS NOT NULL`] : []),
    ...(waiting && status === undefined ? [] : statusTerms(status)),
    ...(agent === undefined ? [] : [`${AGENT} = ${quoted(agent)}`]),
    ...(whose === undefined ? [] : [`${TENANT} = ${quoted(whose)}`]),
    ...(scope?.tenant === null ? [`${TENANT} IS NULL`] : []),
    // Any word can be a kind; who lists by kind looks at the requests themselves as well.
    ...(kind === undefined || !isSearchable(kind) ? [] : [`${WAITING_FOR} = ${quoted(kindValue(kind))}`]),
    ...(approver === undefined ? [] : [`${WAITING_FOR} = ${quoted(approverValue(approver))}`]),
  ].join(' AND ');
}

/** The engine knows best which runs are open, and how one ended that it ended itself. */
function statusTerms(status: RunFilter['status']): string[] {
  switch (status) {
    case undefined:
      return [`ExecutionStatus != 'ContinuedAsNew'`];
    case 'running':
    case 'pending':
    case 'idle':
      return [`ExecutionStatus = 'Running'`, `${STATUS} = ${quoted(status)}`];
    case 'done':
    case 'incomplete':
      return [`ExecutionStatus = 'Completed'`, `${STATUS} = ${quoted(status)}`];
    case 'cancelled':
      return [`ExecutionStatus = 'Canceled'`];
    case 'failed':
      return [`ExecutionStatus IN ('Failed', 'Terminated', 'TimedOut')`];
  }
}

/** The server takes these in a query, but never finds a value that holds one (measured, 1.29). */
const UNSEARCHABLE = /["\\\p{Cc}]/u;

export function isSearchable(value: string): boolean {
  return !UNSEARCHABLE.test(value);
}

/** A value as the query language takes it: nothing in it ends the quotes. */
function quoted(value: string): string {
  return `'${value.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
}
