import type { WorkflowExecutionInfo } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { HoldpointError } from '../agent/errors';
import type { RunStatus } from '../agent/run-state';
import { CONVERSATION_PREFIX, MEMO_KEY, SEARCH_ATTRIBUTES, type RunMemo } from '../agent/wire';
import type { ClientContext } from './client-context';
import type { ListFilter } from './options';
import { shownValue } from '../tools/option-checks';
import { isRunMemo } from './run-description';
import { isSearchable, visibilityQuery, type RunFilter } from './visibility-query';
import type { WaitLimit } from './wait-limit';

const AGENT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.agent, 'KEYWORD');
const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, 'KEYWORD');
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
}

/** Open ones first. Search attributes hold what can be listed; without them there is nothing to list. */
export async function listWorkflows(
  context: ClientContext,
  filter: RunFilter,
  rows: number,
  limit: WaitLimit,
): Promise<ListedWorkflow[]> {
  if (context.searchAttributes === 'none') return [];
  // Nothing that a client started has another tenant, and no agent another name.
  const { agent = '', tenant = '' } = filter;
  if (!isSearchable(agent) || !isSearchable(tenant)) return [];
  const pageSize = Math.min(rows, PAGE_SIZE);
  const found: ListedWorkflow[] = [];
  // The iterable asks for a page at a time, at the pace it is read: each step is one request or none.
  const workflows = context.temporal.workflow.list({ query: visibilityQuery(filter), pageSize });
  const pages = workflows[Symbol.asyncIterator]();
  while (found.length < rows) {
    const next = await limit.once(() => pages.next());
    if (next.done) break;
    found.push(toListed(next.value));
  }
  return found;
}

export async function listRuns(
  context: ClientContext,
  filter: ListFilter,
  limit: WaitLimit,
): Promise<ListedRun[]> {
  checkFilter({ ...filter });
  const rows = await listWorkflows(context, filter, filter.limit ?? DEFAULT_ROWS, limit);
  return rows.map((row) => row.run);
}

/** Refuses a filter that the server would not understand, or would take for another. */
export function checkFilter(filter: Readonly<Record<string, unknown>>): void {
  const { status, limit } = filter;
  if (status !== undefined && !(typeof status === 'string' && isStatus(status)))
    throw invalid(`Expected \`status\` to be one of ${STATUSES.join(', ')}, got ${shownValue(status)}.`);
  if (limit !== undefined && !(Number.isSafeInteger(limit) && Number(limit) > 0))
    throw invalid(`Expected \`limit\` to be a whole number of at least 1, got ${shownValue(limit)}.`);
  for (const name of ['agent', 'tenant', 'kind', 'approver'])
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
      status: statusOf(info, attributes.get(STATUS)),
      startedAt: info.startTime.toISOString(),
      ...(closeTime && { endedAt: closeTime.toISOString() }),
    },
    ...(memo && { memo }),
  };
}

const STATUSES: readonly string[] = [
  'running',
  'pending',
  'done',
  'incomplete',
  'cancelled',
  'failed',
  'idle',
];

/** How the engine ended a run goes before what the run itself last said. */
function statusOf(info: WorkflowExecutionInfo, attribute: string | undefined): ListedRun['status'] {
  switch (info.status.name) {
    case 'CANCELLED':
      return 'cancelled';
    case 'FAILED':
    case 'TERMINATED':
    case 'TIMED_OUT':
      return 'failed';
    case 'COMPLETED':
      return attribute === 'incomplete' ? 'incomplete' : 'done';
    default:
      return isStatus(attribute) ? attribute : 'running';
  }
}

function isStatus(value: string | undefined): value is ListedRun['status'] {
  return value !== undefined && STATUSES.includes(value);
}
