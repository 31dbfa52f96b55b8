import {
  ACTIVITY_CALL_MODEL,
  ACTIVITY_CALL_TOOL,
  ACTIVITY_NOTIFY,
  ACTIVITY_NOTIFY_TARGETS,
  ACTIVITY_WAIT_FOR,
} from '../agent/wire';
import { createCallModel } from './call-model';
import { createCallTool } from './call-tool';
import { createNotify, createNotifyTargets } from './notify';
import type { Services } from './services';
import { createWaitFor } from './wait-for';

/** A worker's activities by their wire names. */
export function createActivities(services: Services) {
  return {
    [ACTIVITY_CALL_MODEL]: createCallModel(services),
    [ACTIVITY_CALL_TOOL]: createCallTool(services),
    [ACTIVITY_WAIT_FOR]: createWaitFor(services),
    [ACTIVITY_NOTIFY]: createNotify(services),
    [ACTIVITY_NOTIFY_TARGETS]: createNotifyTargets(services),
  };
}
