import type { DataConverter } from '@temporalio/common';
import type { Services } from '../activities/services';
import { TranscriptCache } from '../activities/transcript-cache';
import type { Agent } from '../agent/agent';
import { createModels } from '../models/registry';
import { toWebhooks } from '../webhooks/options';
import { keepsElsewhere } from '../temporal/data-options';
import type { WorkerOptions } from './options';

const DEFAULT_WAIT_FOR_TIMEOUT_MS = 10 * 60_000;
const DEFAULT_RETRIES = 2;
/** A cancellation comes back with a heartbeat, so heartbeats may not be held back for longer (R8). */
export const HEARTBEAT_THROTTLE = '1s';

/** The part of a worker's options that its activities work with. */
export type ServiceOptions = Pick<
  WorkerOptions,
  | 'agents'
  | 'models'
  | 'retries'
  | 'waitFor'
  | 'waitForTimeoutMs'
  | 'hooks'
  | 'cacheBytes'
  | 'searchAttributes'
  | 'webhooks'
>;

/** The same for a worker with this converter. */
export function withConverter(services: Services, converter: DataConverter): Services {
  return keepsElsewhere(converter) ? { ...services, stored: true } : services;
}

/** `agents` are those of the options, checked. */
export function toServices(options: ServiceOptions, agents: ReadonlyMap<string, Agent>): Services {
  const { hooks, waitFor, models, cacheBytes, webhooks } = options;
  return {
    agents,
    models: createModels(models),
    retries: options.retries ?? DEFAULT_RETRIES,
    ...(hooks && { hooks }),
    ...(waitFor && { waitFor }),
    waitForTimeoutMs: options.waitForTimeoutMs ?? DEFAULT_WAIT_FOR_TIMEOUT_MS,
    cache: new TranscriptCache(cacheBytes),
    lists: options.searchAttributes ?? 'full',
    ...(webhooks && { webhooks: toWebhooks(webhooks) }),
  };
}
