import { encode } from '@temporalio/common/lib/encoding';
import { relayAnswer, relayCallsOf } from '../../src/agent/relay';
import type { RunSnapshot } from '../../src/agent/wire';
import { defineAgent, relayTool } from '../../src/tools';
import { callsOnce } from '../support/model';
import { waitUntil } from '../support/wait-until';
import { transcriptOf, withDesk, type Desk } from './fixtures';

const warehouse = relayTool({ name: 'warehouse', description: 'Asks the warehouse.' });
const agents = [defineAgent({ name: 'desk', model: 'm', tools: [warehouse] })];

const bogus = [
  ['an unknown encoding', { metadata: { encoding: encode('binary/bogus') }, data: encode('abc') }],
  ['broken JSON', { metadata: { encoding: encode('json/plain') }, data: encode('{{') }],
  [
    'JSON nested too deep',
    { metadata: { encoding: encode('json/plain') }, data: encode('['.repeat(100_000)) },
  ],
  ['no encoding at all', { data: encode('abc') }],
] as const;

/** As `temporal workflow signal --input abc --input-meta encoding=binary/bogus` does. */
async function signalRaw(
  { client }: Desk,
  workflowId: string,
  signalName: string,
  payload: (typeof bogus)[number][1],
): Promise<void> {
  await client.workflowService.signalWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    signalName,
    input: { payloads: [payload] },
  });
}

describe('the production bundle', () => {
  it('R30: no message that cannot be decoded wedges a run; it is refused, and the run goes on', async () => {
    await withDesk(async (desk) => {
      await desk.start({ agents, models: callsOnce('warehouse').model });
      const run = await desk.startRun({ agent: 'desk', input: 'Is it there?' });
      const state = () => run.query<RunSnapshot>('state');
      const halted = await waitUntil(state, ({ status }) => status === 'pending');
      for (const [, payload] of bogus)
        for (const signal of ['runWithAnswer', 'addMessage', 'noSuchSignal'])
          await signalRaw(desk, run.workflowId, signal, payload);
      const { rejections } = await waitUntil(state, (now) => now.rejections.length === 2 * bogus.length);
      expect(rejections.map(({ error }) => error.type)).toContain('Holdpoint.Answer.Malformed');
      const [open] = halted.requests;
      const results = relayCallsOf(open?.request).map(({ id }) => ({ id, output: 'On shelf 3.' }));
      await run.signal('runWithAnswer', relayAnswer(open?.request.id ?? '', results));
      expect(await run.result()).toMatchObject({ status: 'done', text: 'done' });
      expect(await transcriptOf(run)).toHaveLength(4);
    });
  });

  it('R30: an input that cannot be decoded fails its run with an error that says so', async () => {
    await withDesk(async (desk) => {
      await desk.start({ agents, models: callsOnce('warehouse').model });
      const workflowId = `run-${desk.taskQueue}`;
      await desk.client.workflowService.startWorkflowExecution({
        namespace: desk.client.options.namespace,
        workflowId,
        requestId: workflowId,
        workflowType: { name: 'agentRun' },
        taskQueue: { name: desk.taskQueue },
        input: { payloads: [bogus[0][1]] },
      });
      await expect(desk.client.workflow.getHandle(workflowId).result()).rejects.toMatchObject({
        name: 'WorkflowFailedError',
      });
    });
  });
});
