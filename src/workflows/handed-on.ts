import { workflowInfo } from '@temporalio/workflow';
import { HoldpointError } from '../agent/errors';
import type { CarriedState } from '../agent/wire';

/**
 * The state that an execution has from the one before it; `undefined` for the first of its chain. Nobody else may
 * give one: it is trusted as it is. Throws `Holdpoint.Run.InvalidInput`.
 */
export function handedOn(carried: CarriedState | null | undefined): CarriedState | undefined {
  const { continuedFromExecutionRunId, cronSchedule } = workflowInfo();
  // Its runs share one chain, so that the idempotency keys of the first would come again in all others (R9).
  if (cronSchedule)
    throw invalidInput(
      'A run cannot have a cron schedule. Use a Temporal schedule, which starts a run of its own each time.',
    );
  if (carried === undefined || carried === null) return undefined;
  if (continuedFromExecutionRunId === undefined)
    throw invalidInput(
      'A start takes one argument, {agent, …}. What comes after it only a run itself hands on.',
    );
  return carried;
}

function invalidInput(problem: string): HoldpointError {
  return new HoldpointError('Holdpoint.Run.InvalidInput', problem);
}
