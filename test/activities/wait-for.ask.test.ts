import { CancelledFailure } from '@temporalio/common';
import type { WaitFor, WaitForContext } from '../../src/agent/wait-for';
import type { WaitForInput } from '../../src/agent/wire';
import { holdpointFailure } from '../support/matchers';
import { activitiesOf, environment, run } from './fixtures';

const input: WaitForInput = { run, request: { id: 'req-1', kind: 'question', prompt: 'Which?' } };

/** A host that answers only when it is aborted, or never. */
const deaf: WaitFor = () => new Promise(() => undefined);
const interrupted: WaitFor = (_, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('interrupted'))));

describe('waitFor on the worker', () => {
  it('R32: asks the host about the request and gives back what it answers', async () => {
    const asked: [unknown, WaitForContext][] = [];
    const waitFor: WaitFor = (request, ctx) => {
      asked.push([request, ctx]);
      return { id: request.id, ok: true, data: { choice: 0 } };
    };
    const outcome = await environment().perform(activitiesOf({ waitFor }).waitFor, input);
    expect(outcome).toEqual({ is: 'answer', answer: { id: 'req-1', ok: true, data: { choice: 0 } } });
    expect(asked).toMatchObject([[input.request, { runId: 'run-1', agent: 'desk' }]]);
  });

  it('R32: leaves the request as it is on a worker without a host', async () => {
    expect(await environment().perform(activitiesOf().waitFor, input)).toEqual({ is: 'none' });
  });

  it('R32: what the host throws fails the run, and is not tried again', async () => {
    const waitFor: WaitFor = () => {
      throw new Error('The desk is closed.');
    };
    await expect(environment().perform(activitiesOf({ waitFor }).waitFor, input)).rejects.toEqual(
      holdpointFailure('Holdpoint.Run.WaitForFailed', /The desk is closed/, { nonRetryable: true }),
    );
  });

  it.each([
    ['goes on', deaf],
    ['gives up with an error', interrupted],
  ])('R32: when its time is over the request stays as it is, even if the host %s', async (_, waitFor) => {
    const { waitFor: activity } = activitiesOf({ waitFor, waitForTimeoutMs: 20 });
    expect(await environment().perform(activity, input)).toEqual({ is: 'none' });
  });

  it.each([
    ['goes on', deaf],
    ['throws', interrupted],
  ])('R32: is dropped when the request is answered another way, even if the host %s', async (_, waitFor) => {
    const { perform, cancel } = environment();
    const outcome = perform(activitiesOf({ waitFor }).waitFor, input);
    cancel();
    await expect(outcome).rejects.toBeInstanceOf(CancelledFailure);
  });

  it('gives the run something to refuse where the host answers nothing', async () => {
    const nothing: unknown = () => undefined;
    const waitFor = nothing as WaitFor;
    const outcome = await environment().perform(activitiesOf({ waitFor }).waitFor, input);
    expect(outcome).toEqual({ is: 'answer', answer: null });
  });
});
