import { HoldpointError } from './errors';

/**
 * The errors by which a tool says that its call has no result: nothing was begun (`Holdpoint.Tool.NotStarted`, and
 * it may be tried again), or nobody knows what became of it (`Holdpoint.Tool.OutcomeUnknown`, R33).
 */
export function isNoResult(thrown: unknown): thrown is HoldpointError {
  return (
    thrown instanceof HoldpointError &&
    (thrown.type === 'Holdpoint.Tool.NotStarted' || thrown.type === 'Holdpoint.Tool.OutcomeUnknown')
  );
}
