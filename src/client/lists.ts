import type { WorkflowExecutionInfo } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { HoldpointError } from '../agent/errors';
import type { RunStatus } from '../agent/run-state';
import { ownId } from '../agent/tenant';
import { isUndecodable, type Undecodable } from '../agent/undecodable';
import { CONVERSATION_PREFIX, MEMO_KEY, SEARCH_ATTRIBUTES, type RunMemo } from '../agent/wire';
import type { ClientContext } from './client-context';
import { tenantOf, type Scope } from './ids';
import { fromCursor, readListPage, toCursor } from './list-page';
import { isListedStatus, LISTED_STATUSES, listedStatus } from './listed-status';
import type { ListFilter, PageFilter } from './options';
import { shownValue } from '../tools/option-checks';
import { isRunMemo } from './run-description';
import { ownIds } from './scope';
import { isSearchable, visibilityQuery, type RunFilter } from './visibility-query';
import type { WaitLimit } from './wait-limit';

const AGENT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.agent, 'KEYWORD');
const TENANT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.tenant, 'KEYWORD');

const DEFAULT_ROWS = 100;
const PAGE_SIZE = 1_000;

/** One run, or one conversation with its current ask, as the server's lists have it: some moments old. */
export interface ListedRun {
  readonly runId: string;
  readonly conversationId?: string;
  readonly agent: string;
  readonly tenant?: string;
  readonly status: RunStatus | 'idle';
  readonly startedAt: string;
  readonly endedAt?: string;
}

/** What a list row is made of. */
export interface ListedWorkflow {
  readonly workflowId: string;
  readonly run: ListedRun;
  readonly memo?: RunMemo;
  /** In place of the memo where this client cannot read it. */
  readonly unread?: Undecodable;
}

/** One page of a list of runs. */
export interface RunPage {
  readonly runs: readonly ListedRun[];
  /** What `cursor` takes to get the next page; absent on the last one. */
  readonly next?: string;
}

/** Open ones first. Search attributes hold what can be listed; without them there is nothing to list. */
export async function listWorkflows(
  context: ClientContext,
  filter: RunFilter,
  rows: number,
  limit: WaitLimit,
): Promise<ListedWorkflow[]> {
  return (await pageOf(context, filter, rows, undefined, limit)).rows;
}

export async function listRuns(
  context: ClientContext,
  filter: ListFilter,
  limit: WaitLimit,
): Promise<ListedRun[]> {
  return [...(await listRunPage(context, filter, limit)).runs];
}

export async function listRunPage(
  context: ClientContext,
  { cursor, waitingFor, approver, ...filter }: PageFilter,
  limit: WaitLimit,
): Promise<RunPage> {
  checkFilter({ ...filter, waitingFor, approver });
  // No list can be searched for such a word.
  if (waitingFor !== undefined && !isSearchable(waitingFor)) return { runs: [] };
  const wanted = {
    ...filter,
    ...(waitingFor !== undefined && { waiting: true, kind: waitingFor }),
    ...(approver !== undefined && { waiting: true, approver }),
  };
  const { rows, next } = await pageOf(context, wanted, filter.limit ?? DEFAULT_ROWS, cursor, limit);
  const runs = rows.map((row) => ownIds(context, row.run));
  return { runs, ...(next !== undefined && { next }) };
}

async function pageOf(
  context: ClientContext,
  filter: RunFilter,
  rows: number,
  cursor: string | undefined,
  limit: WaitLimit,
): Promise<{ readonly rows: ListedWorkflow[]; readonly next?: string }> {
  const { scope } = context;
  const query = visibilityQuery(filter, scope);
  let token = cursor === undefined ? undefined : fromCursor(context, query, cursor);
  if (context.searchAttributes === 'none') return { rows: [] };
  // Nothing that a client started has another tenant, and no agent another name.
  const { agent = '', tenant = '' } = filter;
  if (!isSearchable(agent) || !isSearchable(tenant)) return { rows: [] };
  if (scope && filter.tenant !== undefined && filter.tenant !== scope.tenant) return { rows: [] };
  const found: ListedWorkflow[] = [];
  do {
    const pageSize = Math.min(rows - found.length, PAGE_SIZE);
    const page = await readListPage(context, { query, pageSize, ...(token && { token }) }, limit);
    found.push(...page.workflows.map(toListed).filter((row) => isInScope(row, scope)));
    token = page.next;
  } while (token && found.length < rows);
  return { rows: found, ...(token && { next: toCursor(context, query, token) }) };
}

/** Only what the client can also reach by its id. */
function isInScope({ run }: ListedWorkflow, scope: Scope | undefined): boolean {
  if (!scope) return true;
  const id = run.conversationId ?? run.runId;
  const tenant = tenantOf(scope);
  const own = ownId(id, tenant);
  return !own.includes('/') && (tenant === undefined || own !== id);
}

/** Refuses a filter that the server would not understand, or would take for another. */
export function checkFilter(filter: Readonly<Record<string, unknown>>): void {
  const { status, limit } = filter;
  if (status !== undefined && !(typeof status === 'string' && isListedStatus(status)))
    throw invalid(
      `Expected \`status\` to be one of ${LISTED_STATUSES.join(', ')}, got ${shownValue(status)}.`,
    );
  if (limit !== undefined && !(Number.isSafeInteger(limit) && Number(limit) > 0))
    throw invalid(`Expected \`limit\` to be a whole number of at least 1, got ${shownValue(limit)}.`);
  for (const name of ['agent', 'tenant', 'kind', 'waitingFor', 'approver'])
    if (filter[name] !== undefined && typeof filter[name] !== 'string')
      throw invalid(`Expected \`${name}\` to be a string, got ${shownValue(filter[name])}.`);
}

function invalid(message: string): HoldpointError {
  return new HoldpointError('Holdpoint.Client.InvalidOptions', message);
}

function toListed(info: WorkflowExecutionInfo): ListedWorkflow {
  const { workflowId, typedSearchAttributes: attributes, closeTime } = info;
  const found = info.memo?.[MEMO_KEY];
  const memo = isRunMemo(found) ? found : undefined;
  const tenant = attributes.get(TENANT);
  const conversationId = workflowId.startsWith(CONVERSATION_PREFIX)
    ? workflowId.slice(CONVERSATION_PREFIX.length)
    : undefined;
  return {
    workflowId,
    run: {
      runId: conversationId === undefined ? workflowId : (memo?.runId ?? `${conversationId}/0`),
      ...(conversationId !== undefined && { conversationId }),
      agent: attributes.get(AGENT) ?? '',
      ...(tenant !== undefined && { tenant }),
      status: listedStatus(info, memo),
      startedAt: info.startTime.toISOString(),
      ...(closeTime && { endedAt: closeTime.toISOString() }),
    },
    ...(memo && { memo }),
    ...(isUndecodable(found) && { unread: found }),
  };
}
