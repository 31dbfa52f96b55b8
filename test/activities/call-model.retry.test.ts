import { CancelledFailure } from '@temporalio/common';
import { HoldpointError } from '../../src/agent/errors';
import { holdpointFailure } from '../support/matchers';
import { modelOf, response } from '../support/model';
import { activitiesOf, callModelInput, environment } from './fixtures';

const busy = () => new HoldpointError('Holdpoint.Model.Failed', 'Busy.', { status: 503, retryAfterMs: 0 });

describe('retries of a model call', () => {
  it('R37: two retries are at most three requests, and the failure is then final', async () => {
    const { model, requests } = modelOf(() => Promise.reject(busy()));
    const { callModel } = activitiesOf({ model });
    await expect(environment().perform(callModel, callModelInput())).rejects.toEqual(
      holdpointFailure('Holdpoint.Model.Failed', /Busy/, { nonRetryable: true }),
    );
    expect(requests).toHaveLength(3);
  });

  it('R37: what failed before a worker died counts, its death does not', async () => {
    const { model, requests } = modelOf((_, n) => (n === 1 ? Promise.reject(busy()) : response('ok')));
    const { callModel } = activitiesOf({ model });
    const { perform, heartbeats } = environment({ attempt: 2, heartbeatDetails: { failed: 1 } });
    expect(await perform(callModel, callModelInput())).toMatchObject({ message: { content: 'ok' } });
    expect(requests).toHaveLength(2);
    expect(heartbeats[0]).toEqual({ failed: 1 });
    expect(heartbeats).toContainEqual({ failed: 2 });
  });

  it('R37: no request is left when all had failed before the worker died', async () => {
    const { model, requests } = modelOf(() => response('ok'));
    const { callModel } = activitiesOf({ model });
    const { perform } = environment({ attempt: 2, heartbeatDetails: { failed: 3 } });
    await expect(perform(callModel, callModelInput())).rejects.toEqual(
      holdpointFailure('Holdpoint.Model.Failed'),
    );
    expect(requests).toHaveLength(0);
  });

  it('R37: a status that is final is not repeated and keeps its type and status', async () => {
    const { model, requests } = modelOf(() =>
      Promise.reject(new HoldpointError('Holdpoint.Model.Rejected', 'No.', { status: 401 })),
    );
    await expect(environment().perform(activitiesOf({ model }).callModel, callModelInput())).rejects.toEqual(
      holdpointFailure('Holdpoint.Model.Rejected', /No/, { nonRetryable: true, details: [{ status: 401 }] }),
    );
    expect(requests).toHaveLength(1);
  });

  it('R8: a cancelled call ends as cancelled, whatever the provider made of its abort', async () => {
    const { perform, cancel } = environment();
    const { model, requests } = modelOf(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('Request was aborted.')));
          cancel();
        }),
    );
    await expect(perform(activitiesOf({ model }).callModel, callModelInput())).rejects.toBeInstanceOf(
      CancelledFailure,
    );
    expect(requests).toHaveLength(1);
  });

  it('a worker that shuts down leaves the call to another one: it is no failure', async () => {
    const { perform, shutDown } = environment();
    const { model } = modelOf(() => {
      shutDown();
      return Promise.reject(new Error('socket closed'));
    });
    await expect(perform(activitiesOf({ model }).callModel, callModelInput())).rejects.toBeInstanceOf(
      CancelledFailure,
    );
  });

  it('a wait for Retry-After ends at once when the call is cancelled', async () => {
    const { env, perform, cancel } = environment();
    const wait = new HoldpointError('Holdpoint.Model.Failed', 'Later.', {
      status: 429,
      retryAfterMs: 60_000,
    });
    const { model } = modelOf(() => Promise.reject(wait));
    env.on('heartbeat', (details: { failed?: number }) => {
      if (details.failed === 1) cancel();
    });
    await expect(perform(activitiesOf({ model }).callModel, callModelInput())).rejects.toBeInstanceOf(
      CancelledFailure,
    );
  });

  it('R9: ends by itself, with a type, before the activity runs out of time', async () => {
    const { perform } = environment({ startToCloseTimeoutMs: 200 });
    const { model } = modelOf(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    );
    await expect(perform(activitiesOf({ model }).callModel, callModelInput())).rejects.toEqual(
      holdpointFailure('Holdpoint.Model.TimedOut', /longer than/, { nonRetryable: true }),
    );
  });
});
