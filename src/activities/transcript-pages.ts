import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '@temporalio/activity';
import { errorMessage, HoldpointError } from '../agent/errors';
import { isRecord } from '../agent/json';
import { QUERY_TRANSCRIPT, type TranscriptPage, type TranscriptPageInput } from '../agent/wire';

/** Reads one page of a run's transcript. */
export type ReadPage = (input: TranscriptPageInput) => Promise<TranscriptPage>;

/** Measured: with no other worker a query fails after 30 s; after a worker's death the first takes 10 s. */
const QUERY_TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Reads from the activity's own workflow by query, which writes no history (design, "The transcript travels
 * once"). Whatever fails is tried again for 30 s; then it is the activity's failure, which is retried too.
 */
export function queryPages(context: Context): ReadPage {
  const { workflowExecution } = context.info;
  return async (input) => {
    const deadline = Date.now() + QUERY_TIMEOUT_MS;
    if (!workflowExecution) throw unreadable('this activity has no workflow');
    const { workflowId, runId } = workflowExecution;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        const { client } = context;
        const page: unknown = await client.withDeadline(deadline, () =>
          client.workflow
            .getHandle(workflowId, runId)
            .query<unknown, [TranscriptPageInput]>(QUERY_TRANSCRIPT, input),
        );
        if (isPage(page)) return page;
        throw unreadable('the run gave something else than a page');
      } catch (error) {
        context.cancellationSignal.throwIfAborted();
        if (Date.now() + pauseMs >= deadline)
          throw error instanceof HoldpointError ? error : unreadable(errorMessage(error), error);
      }
      await delay(pauseMs, undefined, { signal: context.cancellationSignal }).catch(() =>
        context.cancellationSignal.throwIfAborted(),
      );
    }
  };
}

function isPage(value: unknown): value is TranscriptPage {
  return isRecord(value) && Array.isArray(value['messages']) && typeof value['from'] === 'number';
}

export function unreadable(why: string, cause?: unknown): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Transcript.Unreadable',
    `The run's transcript cannot be read from its workflow: ${why}. This is tried again; if it stays, check that workers for workflows run on the task queue.`,
    {},
    { cause },
  );
}
