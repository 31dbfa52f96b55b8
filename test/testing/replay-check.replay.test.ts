import type { History } from '@temporalio/common/lib/proto-utils';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replayCheck, toHistoryJson } from '../../src/testing';
import { quietRuntime } from '../support/quiet-runtime';
import { testServer } from '../support/test-server';
import { bundleOf, withPlainWorker } from '../support/with-worker';

// Bundles and processes start slowly on a busy machine.
jest.setTimeout(180_000);

const workflowsPath = require.resolve('./workflows/two-steps');

let workflowBundle: { readonly code: string };
let directory: string;
let recorded: string;
let history: History;

beforeAll(async () => {
  quietRuntime('silent');
  workflowBundle = await bundleOf(workflowsPath);
  directory = await mkdtemp(join(tmpdir(), 'holdpoint-replay-'));
  recorded = join(directory, 'two-steps.json');
  history = await recordTwoSteps();
  await writeFile(recorded, toHistoryJson(history));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

test('a history replays against the code that made it', async () => {
  const text = await readFile(recorded, 'utf8');
  await replayCheck(recorded, { workflowsPath });
  await replayCheck(JSON.parse(text) as object, { workflowBundle });
});

test('a history replays as it was fetched, and after JSON.stringify', async () => {
  await replayCheck(history, { workflowBundle });
  await replayCheck(JSON.parse(JSON.stringify(history)) as object, { workflowBundle });
});

test('a recorded history is in the form that the temporal command prints', async () => {
  const { events } = JSON.parse(await readFile(recorded, 'utf8')) as { events: unknown[] };
  expect(events[0]).toMatchObject({
    eventId: '1',
    eventTime: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_STARTED',
    workflowExecutionStartedEventAttributes: { workflowType: { name: 'twoSteps' } },
  });
});

test('a change that no patch guards is refused, and the error says what to do', async () => {
  const changed = require.resolve('./workflows/two-steps-changed');
  await expect(replayCheck(recorded, { workflowsPath: changed })).rejects.toMatchObject({
    type: 'Holdpoint.Testing.NotDeterministic',
    message: expect.stringMatching(/two-steps\.json does not replay.*patched/s) as string,
  });
});

test('code without the recorded workflow type is refused', async () => {
  const none = require.resolve('./workflows/none');
  await expect(replayCheck(recorded, { workflowsPath: none })).rejects.toMatchObject({
    type: 'Holdpoint.Testing.ReplayFailed',
    message: expect.stringContaining('twoSteps') as string,
  });
});

test.each([
  ['a missing file', '/nowhere/history.json', /Cannot read the history \/nowhere\/history.json: ENOENT/],
  ['a file that is no JSON', __filename, /is not a history/],
  ['an empty list of events', { events: [] }, /is not a history/],
  [
    'a field of the wrong kind',
    { events: [{ eventId: 'x', workflowExecutionStartedEventAttributes: {} }] },
    /can be read/,
  ],
  ['the middle of a history', { events: [{ eventId: '7' }] }, /does not begin with the start/],
])('%s is refused, and the error says how to record a history', async (_name, source, message) => {
  const error: unknown = await replayCheck(source, { workflowBundle }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ type: 'Holdpoint.Testing.InvalidHistory' });
  expect(String(error)).toMatch(message);
  expect(String(error)).toContain('temporal workflow show');
});

async function recordTwoSteps(): Promise<History> {
  const activities = { step: async (name: string) => name };
  return withPlainWorker(testServer(), { workflowBundle, activities }, async (client, taskQueue) => {
    const handle = await client.workflow.start('twoSteps', { taskQueue, workflowId: taskQueue });
    expect(await handle.result()).toBe('firstsecond');
    return handle.fetchHistory();
  });
}
