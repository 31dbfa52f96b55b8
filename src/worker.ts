/**
 * Carries out the runs of agents.
 *
 * @module holdpoint/worker
 */
import type { NativeConnection } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';
import { createActivities } from './activities';
import type { Services } from './activities/services';
import { DEFAULT_TASK_QUEUE, toConnectTarget } from './temporal/connect-options';
import { toDataConverter } from './temporal/data-options';
import { durationMs } from './tools/duration';
import { bundleOnce, checkBundle, checkWorkflowsPath, type WorkflowBundle } from './worker/bundle';
import { workflowSources } from './worker/bundle-options';
import { checkAddress, checkOptions } from './worker/check-options';
import { checkNamespace, connect } from './worker/connection';
import type { WorkerOptions } from './worker/options';
import { defaultLogger } from './worker/logger';
import { installRuntime } from './worker/runtime';
import { ensureSearchAttributes } from './worker/search-attributes';
import { HEARTBEAT_THROTTLE, toServices, withConverter } from './worker/services';
import { HoldpointWorker } from './worker/holdpoint-worker';

export { bundleWorkflows, type BundleWorkflowsOptions, type WorkflowBundle } from './worker/bundle';
export { holdpointPlugin, type HoldpointPlugin, type PluginOptions } from './worker/plugin';
export { HoldpointWorker } from './worker/holdpoint-worker';
export type { WorkerOptions } from './worker/options';
export type { WorkerLogger } from './worker/logger';
export type { DataOptions } from './temporal/data-options';
export { PayloadStoreCodec, type PayloadStore } from './temporal/payload-store';
export { configuredWebhooks } from './webhooks/configured';
export type { WebhookCallback, WebhookOptions } from './webhooks/options';
export type { WebhookEndpoint } from './webhooks/endpoint';
export type { WebhookRequest, WebhookRun } from './agent/webhook-event';
export type { WaitFor, WaitForContext } from './agent/wait-for';

const DEFAULT_SHUTDOWN_GRACE_MS = 20_000;

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
  const services = toServices(options, checkOptions(options));
  const ownWorkflows = checkWorkflowsPath(options.workflowsPath);
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
    const workflowBundle =
      options.workflowBundle ?? (await bundleOnce(workflowSources(ownWorkflows), logger));
    const worker = await createTemporalWorker(options, services, connection, namespace, workflowBundle);
    return new HoldpointWorker(worker, release);
  } catch (error) {
    await release();
    throw error;
  }
}

function createTemporalWorker(
  options: WorkerOptions,
  services: Services,
  connection: NativeConnection,
  namespace: string,
  workflowBundle: WorkflowBundle,
): Promise<Worker> {
  const dataConverter = toDataConverter(options);
  const { taskQueue = DEFAULT_TASK_QUEUE, maxCachedWorkflows, identity } = options;
  const { shutdownGraceTime = DEFAULT_SHUTDOWN_GRACE_MS } = options;
  return Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle,
    dataConverter,
    activities: { ...options.activities, ...createActivities(withConverter(services, dataConverter)) },
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    shutdownGraceTime: shutdownGraceTime === 0 ? 0 : durationMs('shutdownGraceTime', shutdownGraceTime),
    ...(maxCachedWorkflows !== undefined && { maxCachedWorkflows }),
    ...(identity !== undefined && { identity }),
  });
}
