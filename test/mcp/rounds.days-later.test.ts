import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { startTimeSkippingServer } from '../../src/testing';
import { defineAgent } from '../../src/tools';
import { agentTools } from '../../src/mcp/run/agent-tools';
import { openDesk, type Desk } from '../client/desk';
import { bareRun, type BareRun } from '../support/bare-run';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { askingTool, form } from './asking-tool';

// Its server is a Java program, which starts slowly on a busy machine.
jest.setTimeout(180_000);

let environment: TestWorkflowEnvironment;
let desk: Desk;
const { tool, calls } = askingTool([{ seat: form }]);

beforeAll(async () => {
  quietRuntime();
  environment = await startTimeSkippingServer({ onProgress: (line) => process.stderr.write(`${line}\n`) });
  const agent = defineAgent({
    name: 'desk',
    model: 'scripted',
    tools: agentTools({ tool, expiresIn: '3 days' }),
  });
  const { address, namespace = 'default' } = environment;
  desk = await openDesk([agent], { address, namespace });
});
beforeEach(() => calls.splice(0));
afterAll(async () => {
  await desk?.close();
  await environment?.teardown();
});

/** Asked again and again: this server tells whoever waits of a change only after twenty seconds. */
const reaches = (run: BareRun, status: string): Promise<void> =>
  until(`it is ${status}`, async () => (await run.state()).status === status);

async function parked(): Promise<{ readonly run: BareRun; readonly id: string }> {
  const turns = [{ toolCalls: [{ id: 'b', name: 'book', arguments: {} }] }, { content: 'Done.' }];
  const { runId } = await desk.client.start('desk', desk.play(turns));
  const run = bareRun(desk.client, runId);
  await reaches(run, 'pending');
  const [open] = (await run.state()).requests;
  return { run, id: open?.request.id ?? '' };
}

test('a tool goes on a day later on another worker, and its first round ran once', async () => {
  const { run, id } = await parked();
  await desk.stopWorker();
  await environment.sleep('1 day');
  await desk.startWorker();
  await run.update({ id, ok: true, data: { content: { seat: '4a' } } });
  await reaches(run, 'done');
  expect(calls.map(({ inputResponses }) => inputResponses)).toEqual([
    {},
    { seat: { action: 'accept', content: { seat: '4a' } } },
  ]);
});

test('a question that nobody answers is cancelled at its time', async () => {
  const { run } = await parked();
  await environment.sleep('73 hours');
  await reaches(run, 'done');
  expect(calls.at(-1)?.inputResponses).toEqual({ seat: { action: 'cancel' } });
});
