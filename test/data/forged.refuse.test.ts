import { createHash, randomBytes } from 'node:crypto';
import type { Payload } from '@temporalio/common';
import { encode } from '@temporalio/common/lib/encoding';
import { answerOutput } from '../../src/agent/relay';
import { calls, newId, openDesk, pendingId, type Desk } from '../client/desk';
import { testServer } from '../support/test-server';
import { until } from '../support/until';
import { aesCodec } from './aes-codec';
import { MemoryStore } from './memory-store';

const store = new MemoryStore();
const payloadCodecs = [aesCodec(randomBytes(32))];
let desk: Desk;

/** Workers that keep nothing in memory: each step reads all of the history again. */
beforeAll(async () => {
  desk = await openDesk(undefined, testServer(), {
    payloadCodecs,
    payloadStore: store,
    maxCachedWorkflows: 0,
  });
});
afterAll(() => desk?.close());

const stored = (key: string): Payload => ({
  metadata: {
    encoding: encode('stored/sha256'),
    'stored-encoding': encode('binary/encrypted'),
    'stored-signature': randomBytes(32),
  },
  data: encode(key),
});

function forgeries(): readonly Payload[] {
  const [known = ''] = [...store.objects.keys()];
  return [
    stored(createHash('sha256').update(randomBytes(32)).digest('hex')),
    stored(known),
    stored('../../etc/passwd'),
    { metadata: { encoding: encode('binary/encrypted') }, data: randomBytes(64) },
    { metadata: { encoding: encode('binary/encrypted') }, data: encode('abc') },
  ];
}

const SIGNALS = ['runWithAnswer', 'addMessage', 'childReport', 'noteRefusal', 'revoke', 'noSuchSignal'];

test('R30: messages that name what nobody stored, or that nobody encrypted, stop no run', async () => {
  const text = 'x'.repeat(100_000);
  const halted = await desk.client.run('desk', desk.play([calls('a'), { content: 'Done.' }], text));
  const { runId } = halted;
  const { workflowService, options } = desk.client.temporal;
  const { namespace } = options;
  const workflowExecution = { workflowId: runId };
  for (const payload of forgeries()) {
    const input = { payloads: [payload] };
    for (const signalName of SIGNALS)
      await workflowService.signalWorkflowExecution({ namespace, workflowExecution, signalName, input });
    const update = await workflowService.updateWorkflowExecution({
      namespace,
      workflowExecution,
      waitPolicy: { lifecycleStage: 3 },
      request: { meta: { updateId: newId() }, input: { name: 'answer', args: input } },
    });
    expect(update.outcome?.failure?.applicationFailureInfo?.type).toBe('Holdpoint.Answer.Malformed');
    const query = { queryType: 'transcript', queryArgs: input };
    await workflowService.queryWorkflow({ namespace, execution: workflowExecution, query });
  }
  await until('all are refused', async () => {
    const view = await desk.client.get(runId);
    return view.status === 'pending' && (view.rejections?.length ?? 0) === 3 * forgeries().length;
  });
  const done = await desk.client.runWithAnswer(runId, answerOutput(pendingId(halted), '7'));
  expect(done).toMatchObject({ status: 'done', text: 'Done.' });
  const { events } = await desk.client.temporal.workflow.getHandle(runId).fetchHistory();
  expect(events?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
}, 60_000);
