import { workflowInfo } from '@temporalio/workflow';

/** Its start, and that the first task was scheduled and started. */
const EVENTS_OF_FIRST_TASK = 3;

/**
 * A validator that lets everything pass in an execution's first task, so that the handler must judge as well.
 *
 * Right after continue-as-new the server may make the first task for an update alone. Where that is refused, server
 * 1.29 takes the task's two events out of the history again and the worker is not told: it takes the next two events,
 * an answer by signal perhaps, for those that it has seen. An update that was accepted keeps its task, and its handler
 * refuses it as well. A validator does not run in a replay, so it may look at what only this moment knows.
 */
export function afterFirstTask(validate: (raw: unknown) => void): (raw: unknown) => void {
  return (raw) => {
    if (workflowInfo().historyLength > EVENTS_OF_FIRST_TASK) validate(raw);
  };
}
