import type { WorkflowExecutionInfo } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { RunStatus } from '../agent/run-state';
import { SEARCH_ATTRIBUTES, type RunMemo } from '../agent/wire';

/** A run's status, or `idle` for a conversation between asks. */
export type ListedStatus = RunStatus | 'idle';

export const LISTED_STATUSES: readonly string[] = [
  'running',
  'pending',
  'done',
  'incomplete',
  'cancelled',
  'failed',
  'idle',
];

const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, 'KEYWORD');

/** Where a run stands as the server itself has it: how the engine ended it goes before what it last said. */
export function listedStatus(
  info: Pick<WorkflowExecutionInfo, 'status' | 'typedSearchAttributes'>,
  memo: RunMemo | undefined,
): ListedStatus {
  const said = info.typedSearchAttributes.get(STATUS) ?? memo?.status;
  switch (info.status.name) {
    case 'CANCELLED':
      return 'cancelled';
    case 'FAILED':
    case 'TERMINATED':
    case 'TIMED_OUT':
      return 'failed';
    case 'COMPLETED':
      return said === 'incomplete' ? 'incomplete' : 'done';
    default:
      return isListedStatus(said) ? said : 'running';
  }
}

export function isListedStatus(value: string | undefined): value is ListedStatus {
  return value !== undefined && LISTED_STATUSES.includes(value);
}
