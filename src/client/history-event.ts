import type { History } from '@temporalio/common/lib/proto-utils';

/** One event of a workflow's history, as the server tells it. */
export type HistoryEvent = NonNullable<History['events']>[number];

/** Whether it ends the workflow, not counting one that continues as new. */
export function isClosing(event: HistoryEvent): boolean {
  return Boolean(
    event.workflowExecutionCompletedEventAttributes ??
    event.workflowExecutionFailedEventAttributes ??
    event.workflowExecutionCanceledEventAttributes ??
    event.workflowExecutionTerminatedEventAttributes ??
    event.workflowExecutionTimedOutEventAttributes,
  );
}

/** The execution that comes after the one that this event ends, if any. */
export function continuedAs(event: HistoryEvent): string | undefined {
  return event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId || undefined;
}

/** The execution that comes before the one that this event begins, if any. */
export function continuedFrom(event: HistoryEvent | undefined): string | undefined {
  return event?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
}

/** Milliseconds since the epoch. */
export function toMillis(time: HistoryEvent['eventTime']): number {
  return Number(time?.seconds ?? 0) * 1000 + Math.floor((time?.nanos ?? 0) / 1e6);
}
