import type { NativeConnection } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';
import { createActivities } from './activities';
import type { Services } from './activities/services';
import { TranscriptCache } from './activities/transcript-cache';
import { createModels } from './models/registry';
import { DEFAULT_TASK_QUEUE, toConnectTarget } from './temporal/connect-options';
import { durationMs } from './tools/duration';
import { bundleOnce, checkBundle, type WorkflowBundle } from './worker/bundle';
import { toDataConverter, workflowSources } from './worker/bundle-options';
import { checkAddress, checkOptions } from './worker/check-options';
import { checkNamespace, connect } from './worker/connection';
import type { WorkerOptions } from './worker/options';
import { defaultLogger } from './worker/logger';
import { installRuntime } from './worker/runtime';
import { ensureSearchAttributes } from './worker/search-attributes';
import { HoldpointWorker } from './worker/holdpoint-worker';

export { bundleWorkflows, type WorkflowBundle } from './worker/bundle';
export { HoldpointWorker } from './worker/holdpoint-worker';
export type { WorkerOptions } from './worker/options';
export type { WorkerLogger } from './worker/logger';
export type { WaitFor, WaitForContext } from './agent/wait-for';

const DEFAULT_WAIT_FOR_TIMEOUT_MS = 10 * 60_000;
const DEFAULT_RETRIES = 2;
const DEFAULT_SHUTDOWN_GRACE_MS = 20_000;
/** A cancellation comes back with a heartbeat, so heartbeats may not be held back for longer (R8). */
const HEARTBEAT_THROTTLE = '1s';

/**
 * Makes a worker that carries out the runs of its agents. It is connected and checked when this resolves; it
 * takes work once `run` is called.
 *
 * ```ts
 * const worker = await createWorker({ agents: [desk] });
 * await worker.run(); // until SIGINT, SIGTERM or worker.shutdown()
 * ```
 *
 * @throws HoldpointError `Holdpoint.Worker.InvalidOptions`, `Holdpoint.Worker.Unreachable` within seconds
 * when there is no server or no such namespace, `Holdpoint.Worker.MissingSearchAttributes`,
 * `Holdpoint.Model.InvalidOptions`
 */
export async function createWorker(options: WorkerOptions): Promise<HoldpointWorker> {
  const services = toServices(options);
  const target = toConnectTarget(options);
  if (!options.connection) checkAddress(target.address, options);
  const logger = installRuntime(options.logger ?? defaultLogger());
  if (options.workflowBundle) await checkBundle(options.workflowBundle);
  const connection = options.connection ?? (await connect(target));
  const release = async (): Promise<void> => (options.connection ? undefined : connection.close());
  try {
    const { namespace } = target;
    await checkNamespace(connection, options.connection ? { namespace } : target);
    if (services.lists === 'full') await ensureSearchAttributes(connection, namespace);
    const workflowBundle = options.workflowBundle ?? (await bundleOnce(workflowSources(), logger));
    const worker = await createTemporalWorker(options, services, connection, namespace, workflowBundle);
    return new HoldpointWorker(worker, release);
  } catch (error) {
    await release();
    throw error;
  }
}

function toServices(options: WorkerOptions): Services {
  const agents = checkOptions(options);
  const { hooks, waitFor, models, cacheBytes } = options;
  return {
    agents,
    models: createModels(models),
    retries: options.retries ?? DEFAULT_RETRIES,
    ...(hooks && { hooks }),
    ...(waitFor && { waitFor }),
    waitForTimeoutMs: options.waitForTimeoutMs ?? DEFAULT_WAIT_FOR_TIMEOUT_MS,
    cache: new TranscriptCache(cacheBytes),
    lists: options.searchAttributes ?? 'full',
  };
}

function createTemporalWorker(
  options: WorkerOptions,
  services: Services,
  connection: NativeConnection,
  namespace: string,
  workflowBundle: WorkflowBundle,
): Promise<Worker> {
  const { taskQueue = DEFAULT_TASK_QUEUE, maxCachedWorkflows, identity } = options;
  const { shutdownGraceTime = DEFAULT_SHUTDOWN_GRACE_MS } = options;
  return Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle,
    dataConverter: toDataConverter(),
    activities: createActivities(services),
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    shutdownGraceTime: shutdownGraceTime === 0 ? 0 : durationMs('shutdownGraceTime', shutdownGraceTime),
    ...(maxCachedWorkflows !== undefined && { maxCachedWorkflows }),
    ...(identity !== undefined && { identity }),
  });
}
