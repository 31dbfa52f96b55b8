import type { ErrorType } from '../../src/agent/errors';
import { answerOutput } from '../../src/agent/relay';
import { openaiModel } from '../../src/models/openai';
import { freePort, scriptedModel, type ScriptedModel, type ScriptedTurn } from '../../src/testing';
import { defineAgent } from '../../src/tools';
import { calls, openDesk, pendingId, relayed, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';

const apiKey = 'sk-secret';

let desk: Desk;
let recovering: ScriptedModel;

beforeAll(async () => {
  quietRuntime();
  recovering = await scriptedModel([
    { status: 503 },
    { status: 429, headers: { 'retry-after': '1' } },
    { content: 'Hello.' },
  ]);
  const agent = (name: string) => defineAgent({ name, model: `${name}/m`, tools: [relayed] });
  desk = await openDesk(['desk', 'down', 'slow', 'recovering', 'nowhere'].map(agent));
  const nobody = `http://127.0.0.1:${await freePort()}/v1`;
  await desk.stopWorker();
  await desk.startWorker({
    models: {
      desk: openaiModel({ baseURL: desk.model.baseURL, apiKey }),
      slow: openaiModel({ baseURL: desk.model.baseURL, apiKey, timeoutMs: 300 }),
      down: openaiModel({ baseURL: nobody, apiKey }),
      recovering: openaiModel({ baseURL: recovering.baseURL, apiKey }),
    },
  });
});
afterAll(async () => {
  await desk.close();
  await recovering.close();
});

const FAILURES: readonly [string, ScriptedTurn, ErrorType, number][] = [
  ['a 401', { status: 401 }, 'Holdpoint.Model.Rejected', 1],
  ['a 400', { status: 400 }, 'Holdpoint.Model.Rejected', 1],
  ['a 500', { status: 500 }, 'Holdpoint.Model.Failed', 3],
  ['a 429', { status: 429, headers: { 'retry-after': '0' } }, 'Holdpoint.Model.Failed', 3],
  ['malformed JSON', { malformed: '{"choices": [' }, 'Holdpoint.Model.InvalidResponse', 3],
  ['empty choices', { emptyChoices: true }, 'Holdpoint.Model.InvalidResponse', 3],
  ['a cut connection', { cut: true }, 'Holdpoint.Model.Failed', 3],
];

test.each(FAILURES)(
  'R37: %s: typed failure, so many requests, no key shown, nothing lost, and the run can be continued',
  async (_title, turn, type, count) => {
    const text = desk.play([calls('a'), turn]);
    const halted = await desk.client.run('desk', text);
    const before = desk.model.requests.length;
    const failed = await desk.client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
    expect(desk.model.requests.length - before).toBe(count);
    expect(failed).toMatchObject({
      status: 'failed',
      error: { type },
      turns: 2,
      toolCalls: [{ output: '1' }],
    });
    expect(failed.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(JSON.stringify(failed)).not.toContain(apiKey);
    desk.play([calls('a'), { content: 'Better now.' }], text);
    const continued = await desk.client.continue(failed.runId);
    expect(continued).toMatchObject({ status: 'done', text: 'Better now.' });
  },
);

test('R37: a provider that does not answer in its time fails the run as timed out', async () => {
  const before = desk.model.requests.length;
  const hold = new Promise<never>(() => undefined);
  const failed = await desk.client.run('slow', desk.play([{ content: 'Never.', hold }]));
  expect(failed).toMatchObject({ status: 'failed', error: { type: 'Holdpoint.Model.TimedOut' } });
  expect(desk.model.requests.length - before).toBe(3);
});

test('R37: a provider that is down fails the run and is named', async () => {
  const failed = await desk.client.run('down', 'Hello?');
  expect(failed).toMatchObject({ status: 'failed', error: { type: 'Holdpoint.Model.Failed' } });
  expect(failed.error?.message).toMatch(/127\.0\.0\.1/);
});

test('R37: a provider that recovers is asked again after the time it names; the run knows nothing of it', async () => {
  const done = await desk.client.run('recovering', 'Hello?');
  expect(done).toMatchObject({ status: 'done', text: 'Hello.', turns: 1 });
  const [, second, third] = recovering.requests.map(({ at }) => at.getTime());
  expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(1_000);
});

test('an agent whose provider this worker does not have fails its run and names those it has', async () => {
  const failed = await desk.client.run('nowhere', 'Hello?');
  expect(failed).toMatchObject({ status: 'failed', error: { type: 'Holdpoint.Model.Unknown' } });
  expect(failed.error?.message).toMatch(/desk, slow, down/);
});

test('without an API key a worker starts, and only the run that needs one fails and says what to set', async () => {
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: url, ...env } = process.env;
  await desk.stopWorker();
  process.env = env;
  try {
    await desk.startWorker({ models: {} });
    const failed = await desk.client.run('desk', 'Hello?');
    expect(failed).toMatchObject({ status: 'failed', error: { type: 'Holdpoint.Model.NoApiKey' } });
    expect(failed.error?.message).toMatch(/OPENAI_API_KEY/);
  } finally {
    process.env = {
      ...env,
      ...(key !== undefined && { OPENAI_API_KEY: key }),
      ...(url !== undefined && { OPENAI_BASE_URL: url }),
    };
  }
});
