import { randomBytes } from 'node:crypto';
import type { ProgressEvent } from '../../src/agent/progress';
import { defineAgent, defineTool } from '../../src/tools';
import { newGate, openDesk } from '../client/desk';
import { testServer } from '../support/test-server';
import { aesCodec } from './aes-codec';

test('R44: what a tool reports is read through the codecs, and the server does not see it', async () => {
  const gate = newGate();
  const work = defineTool({
    name: 'work',
    description: 'Takes a while',
    execute: async (_args, { reportProgress }) => {
      reportProgress(1, 2, 'heliotrope');
      await gate.open;
      return 'done';
    },
  });
  const agents = [defineAgent({ name: 'desk', model: 'scripted', tools: [work] })];
  const desk = await openDesk(agents, testServer(), { payloadCodecs: [aesCodec(randomBytes(32))] });
  const { client } = desk;
  const turns = [{ toolCalls: [{ id: 'c', name: 'work', arguments: {} }] }, { content: 'Done.' }];
  const { runId } = await client.start('desk', desk.play(turns));
  const reports: ProgressEvent[] = [];
  let kept = '';
  for await (const event of client.events(runId, { progress: true })) {
    if (event.type !== 'progress') continue;
    reports.push(event);
    const { raw } = await client.temporal.workflow.getHandle(runId).describe();
    const [activity] = raw.pendingActivities ?? [];
    kept = Buffer.from(activity?.heartbeatDetails?.payloads?.[0]?.data ?? []).toString('latin1');
    gate.unlock();
  }
  expect(reports).toMatchObject([{ callId: 'c', progress: 1, total: 2, message: 'heliotrope' }]);
  expect(kept).not.toBe('');
  expect(kept).not.toContain('heliotrope');
  await desk.close();
});
