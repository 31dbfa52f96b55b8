import { ApplicationFailure } from '@temporalio/activity';
import { errorMessage, HoldpointError, type ErrorType } from '../agent/errors';

/**
 * Whether the workflow may have an activity done again: the one place that decides. Only what another worker
 * or another moment can heal is; a provider's failure is final here, since its retries are used up (R37).
 */
const RETRYABLE: ReadonlySet<ErrorType> = new Set<ErrorType>([
  'Holdpoint.Transcript.Unreadable',
  'Holdpoint.Tool.OutcomeUnknown',
]);

/**
 * A failure as Temporal carries it: the type and data fields survive, so the workflow can tell them apart.
 * A cancellation is not one: rethrow the signal's reason first.
 */
export function toApplicationFailure(error: unknown, fallback: ErrorType): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  const known = error instanceof HoldpointError;
  const type = known ? error.type : fallback;
  const failure = ApplicationFailure.create({
    type,
    message: errorMessage(error),
    nonRetryable: !RETRYABLE.has(type),
    details: [known ? error.data : {}],
  });
  // Where it really happened, for whoever reads it on Temporal's page.
  if (error instanceof Error && error.stack !== undefined) failure.stack = error.stack;
  return failure;
}
