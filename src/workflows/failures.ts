import { ApplicationFailure } from '@temporalio/common';
import { HoldpointError } from '../agent/errors';

/** An error as a workflow or an update throws it: its type and data reach the client. */
export function toFailure(error: HoldpointError): ApplicationFailure {
  const { type, message, data } = error;
  return ApplicationFailure.create({ type, message, nonRetryable: true, details: [data] });
}

/** Our errors as the SDK's failures, so that type and data reach the client. */
export function typed<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof HoldpointError ? toFailure(error) : error;
  }
}

/** For whatever comes before a conversation's first ask. */
export function noRun(): HoldpointError {
  return new HoldpointError('Holdpoint.Answer.UnknownRequest', 'Nothing has been asked here yet.');
}
