import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { ActivityCancellationDetails } from '@temporalio/common';
import type { Info } from '@temporalio/activity';
import { createActivities } from '../../src/activities';
import type { Services } from '../../src/activities/services';
import { TranscriptCache } from '../../src/activities/transcript-cache';
import type { Agent } from '../../src/agent/agent';
import type { Model } from '../../src/agent/model';
import type { CallModelInput, CallToolInput, RunRef } from '../../src/agent/wire';
import { createModels } from '../../src/models/registry';
import { defineAgent } from '../../src/tools';
import { modelOf, response } from '../support/model';

export const run: RunRef = { runId: 'run-1', agent: 'desk', seed: 'seed', turn: 1, context: {} };

export const agent = (options: Partial<Parameters<typeof defineAgent>[0]> = {}): Agent =>
  defineAgent({ name: 'desk', model: 'm', ...options });

export function servicesOf(overrides: Partial<Services> & { readonly model?: Model } = {}): Services {
  const { model = modelOf(() => response('ok')).model, ...rest } = overrides;
  return {
    agents: new Map([['desk', agent()]]),
    models: createModels(model),
    retries: 2,
    waitForTimeoutMs: 60_000,
    cache: new TranscriptCache(),
    lists: 'full',
    readPage: () => Promise.reject(new Error('no page was expected to be read')),
    ...rest,
  };
}

/** An activity's surroundings, with the heartbeats that came out of it. */
export function environment(info: Partial<Info> = {}) {
  const env = new MockActivityEnvironment(
    { heartbeatTimeoutMs: 30_000, startToCloseTimeoutMs: 600_000, ...info },
    { logger: new DefaultLogger('ERROR') },
  );
  const heartbeats: unknown[] = [];
  env.on('heartbeat', (details: unknown) => heartbeats.push(details));
  return {
    env,
    heartbeats,
    perform: <I, O>(activity: (input: I) => Promise<O>, input: I): Promise<O> =>
      env.run<[I], O, (input: I) => Promise<O>>(activity, input),
    /** As the server does when the workflow cancels the activity. */
    cancel: () => env.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true })),
    /** As the worker does when it shuts down and the grace time is over. */
    shutDown: () => env.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true })),
  };
}

export const callModelInput = (overrides: Partial<CallModelInput> = {}): CallModelInput => ({
  run,
  transcript: { tail: [{ m: { role: 'user', content: 'hello' } }] },
  ...overrides,
});

export const callToolInput = (overrides: Partial<CallToolInput> = {}): CallToolInput => ({
  run,
  call: { index: 0, id: 'call-1', name: 'look', arguments: { text: '{}' } },
  mode: 'run',
  timeoutMs: 0,
  ...overrides,
});

export const activitiesOf = (overrides: Parameters<typeof servicesOf>[0] = {}) =>
  createActivities(servicesOf(overrides));
