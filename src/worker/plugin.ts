import type { BundlerPlugin, WorkerOptions as TemporalOptions, WorkerPlugin } from '@temporalio/worker';
import { createActivities } from '../activities';
import { HoldpointError } from '../agent/errors';
import { DEFAULT_NAMESPACE } from '../temporal/connect-options';
import { checkBundle } from './bundle';
import { payloadConverterPath } from '../temporal/data-options';
import { addToBundle, workflowSources } from './bundle-options';
import { checkActivities, checkServiceOptions } from './check-options';
import { ensureSearchAttributes } from './search-attributes';
import { HEARTBEAT_THROTTLE, toServices, withConverter, type ServiceOptions } from './services';

/** Options of {@link holdpointPlugin}: those of `createWorker` that are about agents. Only `agents` is needed. */
export type PluginOptions = ServiceOptions;

/** A plugin for `Worker.create`, and for `bundleWorkflowCode` where the bundle is built beforehand. */
export interface HoldpointPlugin extends WorkerPlugin, BundlerPlugin {
  configureWorker(options: TemporalOptions): Promise<TemporalOptions>;
}

/**
 * Adds agents to a Temporal worker that you have already: their workflows beside yours, their activities beside
 * yours. Clients name that worker's task queue.
 *
 * ```ts
 * const plugins = [holdpointPlugin({ agents: [desk] })];
 * const worker = await Worker.create({ connection, taskQueue, workflowsPath, activities, plugins });
 * ```
 *
 * The worker's payload converter becomes Holdpoint's: it reads what Temporal's own reads, and gives a marked object
 * for a payload that cannot be read, so that one bad signal cannot stop a workflow. Codecs stay as they are; a
 * `PayloadStoreCodec` as the only one of them, given the others, keeps large payloads elsewhere.
 *
 * @throws HoldpointError `Holdpoint.Worker.InvalidOptions`, `Holdpoint.Model.InvalidOptions`; `Worker.create` also
 * `Holdpoint.Worker.MissingSearchAttributes`
 */
export function holdpointPlugin(options: PluginOptions): HoldpointPlugin {
  const services = toServices(options, checkServiceOptions(options));
  return {
    name: 'holdpoint',
    async configureWorker(theirs) {
      const { connection, namespace = DEFAULT_NAMESPACE, workflowBundle, dataConverter, activities } = theirs;
      if (dataConverter?.payloadConverterPath !== undefined)
        throw invalid(
          'The worker has a payload converter of its own, and the agents need theirs. Give them a worker of their own with `createWorker`; codecs and one converter go together.',
        );
      checkActivities(activities);
      if (services.lists === 'full') {
        if (!connection)
          throw invalid(
            "Give `connection` to `Worker.create`, so that the namespace's search attributes can be checked, or `searchAttributes: 'none'` to the plugin.",
          );
        await ensureSearchAttributes(connection, namespace);
      }
      if (workflowBundle) await checkBundle(workflowBundle);
      return {
        maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
        ...theirs,
        dataConverter: { ...dataConverter, payloadConverterPath: payloadConverterPath() },
        activities: { ...activities, ...createActivities(withConverter(services, dataConverter ?? {})) },
        ...(!workflowBundle && { workflowsPath: theirs.workflowsPath ?? workflowSources().workflowsPath }),
      };
    },
    configureBundler: addToBundle,
  };
}

function invalid(message: string): HoldpointError {
  return new HoldpointError('Holdpoint.Worker.InvalidOptions', message);
}
