/**
 * What lists show of a run: search attributes and a bounded memo. Each upsert is one event, so nothing is
 * set that has not changed.
 */
import {
  defineSearchAttributeKey,
  SearchAttributeType,
  type SearchAttributePair,
  type SearchAttributeUpdatePair,
} from '@temporalio/common';
import { upsertMemo, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { jsonSize } from '../agent/json';
import { nextDeadline } from '../agent/open-request';
import { openRequests } from '../agent/run-result';
import type { RunState } from '../agent/run-state';
import { approversOf } from '../agent/policy';
import { approverValue, kindValue, MAX_SEARCH_VALUE, toSearchValue } from '../agent/search-value';
import { MEMO_KEY, SEARCH_ATTRIBUTES, type MemoEvent, type MemoRequest, type RunMemo } from '../agent/wire';

const MAX_MEMO_BYTES = 16_000;
const MAX_MEMO_PROMPT = 200;

const AGENT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.agent, SearchAttributeType.KEYWORD);
const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, SearchAttributeType.KEYWORD);
const TENANT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.tenant, SearchAttributeType.KEYWORD);
const WAITING_FOR = defineSearchAttributeKey(SEARCH_ATTRIBUTES.waitingFor, SearchAttributeType.KEYWORD_LIST);
const DEADLINE = defineSearchAttributeKey(SEARCH_ATTRIBUTES.deadline, SearchAttributeType.DATETIME);

/** Marks a halt or its end for clients that wait: the memo changes each time (design, "Waiting costs nothing"). */
export function publishMemo(
  run: RunState,
  status: RunMemo['status'],
  change: number,
  events: readonly MemoEvent[],
): void {
  upsertMemo({ [MEMO_KEY]: toMemo(run, status, change, events) });
}

/** The memo stays under its bound whatever the requests hold: a larger one would fail the run. */
function toMemo(
  run: RunState,
  status: RunMemo['status'],
  change: number,
  events: readonly MemoEvent[],
): RunMemo {
  const requests: MemoRequest[] = [];
  const bytes = MAX_MEMO_BYTES - 500 - jsonSize(events);
  let truncated = false;
  for (const { id, kind, prompt, expiresAt } of openRequests(run)) {
    const entry: MemoRequest = {
      id,
      kind,
      prompt: prompt.slice(0, MAX_MEMO_PROMPT),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    if (jsonSize([...requests, entry]) > bytes) {
      truncated = true;
      break;
    }
    truncated ||= prompt.length > MAX_MEMO_PROMPT;
    requests.push(entry);
  }
  return {
    status,
    runId: run.runId.slice(0, 250),
    change,
    requests,
    ...(events.length > 0 && { events }),
    ...(truncated && { truncated: true }),
  };
}

/**
 * True when the run was started with our attributes: the namespace has them. Otherwise only its worker knows,
 * and says so with the first turn; to set one that the namespace lacks would fail the run's task for ever.
 */
export function hasAttributes(): boolean {
  return workflowInfo().typedSearchAttributes.get(AGENT) !== undefined;
}

/** The attributes that a sub-agent's run starts with. */
export function startAttributes(agent: string, tenant: string | undefined): SearchAttributePair[] {
  return [
    { key: AGENT, value: toSearchValue(agent, MAX_SEARCH_VALUE) },
    { key: STATUS, value: 'running' },
    ...(tenant === undefined ? [] : [{ key: TENANT, value: toSearchValue(tenant, MAX_SEARCH_VALUE) }]),
  ];
}

/** The server takes 2,048 bytes of one attribute and ends a run that sets more. */
const MAX_ATTRIBUTE_BYTES = 1500;

/** Kinds first: lists by kind go before lists by approver where not all of it fits. */
function boundedWaitingFor(run: RunState): string[] {
  const kinds = run.requests.map(({ request }) => kindValue(request.kind));
  const approvers = run.requests.flatMap(({ request }) =>
    (approversOf(request.policy) ?? []).map(approverValue),
  );
  const kept: string[] = [];
  for (const value of [...sortedSet(kinds), ...sortedSet(approvers)])
    if (jsonSize([...kept, value]) <= MAX_ATTRIBUTE_BYTES) kept.push(value);
  return kept;
}

function sortedSet(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

/** Sets the search attributes that differ from what the execution has. */
export function publishAttributes(run: RunState, status: RunMemo['status']): void {
  const { typedSearchAttributes: now } = workflowInfo();
  // What a sub-agent waits on is in the lists once: at the run where it is answered.
  const waitingFor = run.parent ? [] : boundedWaitingFor(run);
  const deadline = run.parent ? undefined : nextDeadline(run);
  const pairs: SearchAttributeUpdatePair[] = [];
  const agent = toSearchValue(run.agent, MAX_SEARCH_VALUE);
  if (now.get(AGENT) !== agent) pairs.push({ key: AGENT, value: agent });
  if (now.get(STATUS) !== status) pairs.push({ key: STATUS, value: status });
  const tenant = run.tenant === undefined ? undefined : toSearchValue(run.tenant, MAX_SEARCH_VALUE);
  if (tenant !== undefined && now.get(TENANT) !== tenant) pairs.push({ key: TENANT, value: tenant });
  if ((now.get(WAITING_FOR) ?? []).join() !== waitingFor.join())
    pairs.push(
      waitingFor.length > 0 ? { key: WAITING_FOR, value: waitingFor } : { key: WAITING_FOR, value: null },
    );
  if (now.get(DEADLINE)?.getTime() !== deadline)
    pairs.push(
      deadline === undefined ? { key: DEADLINE, value: null } : { key: DEADLINE, value: new Date(deadline) },
    );
  if (pairs.length > 0) upsertSearchAttributes(pairs);
}
