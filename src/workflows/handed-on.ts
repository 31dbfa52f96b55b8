import { workflowInfo } from '@temporalio/workflow';
import { HoldpointError } from '../agent/errors';
import { isUndecodable } from '../agent/undecodable';
import type { CarriedState } from '../agent/wire';

/**
 * The state that an execution has from the one before it; `undefined` for the first of its chain. Nobody else may
 * give one: it is trusted as it is. Throws `Holdpoint.Run.InvalidInput`, and an error that only fails the workflow task
 * where this worker cannot read it: the run then waits for one that has the codecs and the store.
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
  if (isUndecodable(carried))
    throw new Error(
      `What the execution before this one handed on cannot be read here. ${carried.reason} Give the worker the \`payloadCodecs\` and the \`payloadStore\` that it was written with.`,
    );
  return carried;
}

function invalidInput(problem: string): HoldpointError {
  return new HoldpointError('Holdpoint.Run.InvalidInput', problem);
}
