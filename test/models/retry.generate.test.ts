import { getEventListeners } from 'node:events';
import { HoldpointError } from '../../src/agent/errors';
import type { Model, ModelResponse } from '../../src/agent/model';
import { openaiModel } from '../../src/models/openai';
import { generateWithRetries, type RetryOptions } from '../../src/models/retry';
import { scriptedModel, type Script } from '../../src/testing/scripted-model';
import { caught } from './caught';
import { modelRequest } from './model-request';

/** Calls a scripted server with retries whose waits are recorded and take no time. */
async function run(script: Script, options: RetryOptions = {}) {
  const server = await scriptedModel(script);
  const waits: number[] = [];
  const failures: number[] = [];
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  const outcome = await generateWithRetries(openaiModel({ baseURL: server.baseURL }), modelRequest(), {
    sleep,
    onFailure: (failed) => failures.push(failed),
    ...options,
  }).then(
    (response: ModelResponse) => ({ response, error: undefined }),
    (error: unknown) => ({ response: undefined, error: error as HoldpointError }),
  );
  await server.close();
  return { ...outcome, requests: server.requests.length, waits, failures };
}

const failing = (error: unknown): Model & { calls: number } => ({
  calls: 0,
  async generate() {
    this.calls += 1;
    throw error;
  },
});

describe('R37: what is repeated', () => {
  it.each([408, 409, 429, 500, 502, 503, 504, 529])('%i is, until it passes', async (status) => {
    const { response, requests, failures } = await run([{ status }, { status }, { content: 'Hi' }]);
    expect(response?.text).toBe('Hi');
    expect(requests).toBe(3);
    expect(failures).toStrictEqual([1, 2]);
  });

  it.each([400, 401, 403, 404, 413, 422, 501])('%i is not', async (status) => {
    const { error, requests, waits, failures } = await run([{ status }, { content: 'Hi' }]);
    expect(error).toMatchObject({ type: 'Holdpoint.Model.Rejected', data: { status } });
    expect({ requests, waits, failures }).toStrictEqual({ requests: 1, waits: [], failures: [] });
  });

  it.each([
    ['a cut connection', { cut: true as const }],
    ['malformed JSON', { malformed: '{' }],
    ['empty choices', { emptyChoices: true as const }],
  ])('%s is', async (_title, turn) => {
    const { response, requests } = await run([turn, { content: 'Hi' }]);
    expect(response?.text).toBe('Hi');
    expect(requests).toBe(2);
  });

  it('a timeout is', async () => {
    await using server = await scriptedModel([{ hold: new Promise(() => undefined) }, { content: 'Hi' }]);
    const model = openaiModel({ baseURL: server.baseURL, timeoutMs: 200 });
    const response = await generateWithRetries(model, modelRequest(), { sleep: async () => undefined });
    expect(response.text).toBe('Hi');
    expect(server.requests).toHaveLength(2);
  });

  it('an error of another package is read by its status', async () => {
    const model = failing(Object.assign(new Error('overloaded'), { status: 529, headers: new Headers() }));
    const error = await caught(generateWithRetries(model, modelRequest(), { sleep: async () => undefined }));
    expect(error).toMatchObject({ type: 'Holdpoint.Model.Failed', data: { status: 529, requests: 3 } });
    const refused = failing(Object.assign(new Error('no'), { status: 400 }));
    expect((await caught(generateWithRetries(refused, modelRequest()))).type).toBe(
      'Holdpoint.Model.Rejected',
    );
    expect(refused.calls).toBe(1);
  });

  it('a missing key is not', async () => {
    const model = failing(new HoldpointError('Holdpoint.Model.NoApiKey', 'No key.'));
    expect((await caught(generateWithRetries(model, modelRequest()))).type).toBe('Holdpoint.Model.NoApiKey');
    expect(model.calls).toBe(1);
  });
});

describe('R37: how often', () => {
  it.each([0, 1, 2, 4])('retries = %i means one request more at most', async (retries) => {
    const { error, requests } = await run(() => ({ status: 500 }), { retries });
    expect(requests).toBe(retries + 1);
    expect(error).toMatchObject({
      type: 'Holdpoint.Model.Failed',
      data: { status: 500, requests: retries + 1 },
    });
  });

  it('the default is three requests', async () => {
    expect((await run(() => ({ status: 500 }))).requests).toBe(3);
  });

  it('the last error keeps its type', async () => {
    const { error } = await run(() => ({ emptyChoices: true }));
    expect(error).toMatchObject({ type: 'Holdpoint.Model.InvalidResponse', data: { requests: 3 } });
  });

  it('requests that failed on another worker count', async () => {
    const { requests, failures } = await run(() => ({ status: 500 }), { alreadyFailed: 2 });
    expect(requests).toBe(1);
    expect(failures).toStrictEqual([3]);
  });

  it('when they used all of it up, no request is made', async () => {
    const { error, requests } = await run([{ content: 'Hi' }], { alreadyFailed: 3 });
    expect(error).toMatchObject({ type: 'Holdpoint.Model.Failed', data: { requests: 3 } });
    expect(requests).toBe(0);
  });

  it.each([-1, 1.5, Number.NaN])('retries = %p is refused', async (retries) => {
    const { error, requests } = await run([{ content: 'Hi' }], { retries });
    expect(error?.type).toBe('Holdpoint.Model.InvalidOptions');
    expect(requests).toBe(0);
  });
});

describe('R37: how long it waits', () => {
  const within = (ms: number) => [
    { status: 503 },
    { status: 429, headers: { 'retry-after': new Date(Date.now() + ms).toUTCString() } },
    { content: 'Hi' },
  ];

  it('Retry-After in seconds is obeyed', async () => {
    const { waits } = await run([{ status: 429, headers: { 'retry-after': '7' } }, { content: 'Hi' }]);
    expect(waits).toStrictEqual([7_000]);
  });

  it('Retry-After as a date is obeyed', async () => {
    const { waits } = await run(within(30_000));
    expect(waits[1]).toBeGreaterThan(15_000);
    expect(waits[1]).toBeLessThanOrEqual(30_000);
  });

  it.each([
    ['in seconds', { 'retry-after': '86400' }],
    ['as a date', { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' }],
  ])('Retry-After %s is capped at a minute', async (_title, headers) => {
    const script = [{ status: 429, headers }, { content: 'Hi' }];
    expect((await run(script)).waits).toStrictEqual([60_000]);
    expect((await run(script, { maxWaitMs: 10 })).waits).toStrictEqual([10]);
  });

  it('otherwise it waits twice as long each time, with jitter, up to eight seconds', async () => {
    const { waits } = await run(() => ({ status: 500 }), { retries: 7 });
    const longest = [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000];
    expect(waits).toHaveLength(longest.length);
    for (const [at, most] of longest.entries()) {
      expect(waits[at]).toBeGreaterThanOrEqual(most / 2);
      expect(waits[at]).toBeLessThanOrEqual(most);
    }
    expect(waits).not.toStrictEqual(longest);
  });
});

describe('an abort', () => {
  it('R34: ends a wait at once with the reason, and no further request is made', async () => {
    await using server = await scriptedModel(() => ({ status: 429, headers: { 'retry-after': '50' } }));
    const controller = new AbortController();
    const reason = new Error('the run was cancelled');
    const startedAt = performance.now();
    const call = generateWithRetries(
      openaiModel({ baseURL: server.baseURL }),
      modelRequest({ signal: controller.signal }),
      { onFailure: () => void setImmediate(() => controller.abort(reason)) },
    );
    await expect(call).rejects.toBe(reason);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(server.requests).toHaveLength(1);
  });

  it('during a request is not a failure: nothing is counted or repeated', async () => {
    await using server = await scriptedModel([{ hold: new Promise(() => undefined) }, { content: 'Hi' }]);
    const controller = new AbortController();
    const reason = new Error('the run was cancelled');
    const failures: number[] = [];
    const call = generateWithRetries(
      openaiModel({ baseURL: server.baseURL }),
      modelRequest({ signal: controller.signal }),
      { onFailure: (failed) => failures.push(failed) },
    );
    await server.waitForRequest(1);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(failures).toStrictEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it('leaves no listener behind on a signal that lives on', async () => {
    await using server = await scriptedModel([
      { status: 500, headers: { 'retry-after': '0' } },
      { content: 'Hi' },
    ]);
    const { signal } = new AbortController();
    await generateWithRetries(openaiModel({ baseURL: server.baseURL }), modelRequest({ signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
