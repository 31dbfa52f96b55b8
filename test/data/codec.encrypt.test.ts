import { randomBytes } from 'node:crypto';
import { temporal } from '@temporalio/proto';
import type { PayloadCodec } from '@temporalio/common';
import { approve } from '../../src/agent/decisions';
import type { RunEvent } from '../../src/agent/event';
import type { HoldpointClient } from '../../src/client';
import { replayCheck } from '../../src/testing';
import { agentTool, defineAgent, defineTool } from '../../src/tools';
import { newId, openDesk, pendingId, type Desk } from '../client/desk';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { testServer } from '../support/test-server';
import { until } from '../support/until';
import { workflowBundle } from '../support/workflow-bundle';
import { aesCodec } from './aes-codec';

const { DescribeWorkflowExecutionResponse, GetWorkflowExecutionHistoryResponse } =
  temporal.api.workflowservice.v1;
const SECRET = 'heliotrope';
const payloadCodecs = [aesCodec(randomBytes(32))];
const tools = [
  defineTool({
    name: 'refund',
    description: `Refunds the ${SECRET}`,
    needsApproval: true,
    approvers: ['ann'],
    execute: () => `paid for the ${SECRET}`,
  }),
];
const instructions = `Be ${SECRET}.`;
const clerk = defineAgent({ name: 'clerk', model: 'scripted', instructions, tools });
const agents = [
  clerk,
  defineAgent({ name: 'desk', model: 'scripted', instructions, tools: [...tools, agentTool(clerk)] }),
];
let desk: Desk;
let plain: Desk;

beforeAll(async () => {
  quietRuntime('silent');
  desk = await openDesk(agents, testServer(), { payloadCodecs, maxCachedWorkflows: 0, cacheBytes: 1 });
  plain = await openDesk(agents);
});
afterAll(() => Promise.all([desk?.close(), plain?.close()]));

const call = (name: string, args: object) => ({
  toolCalls: [{ id: name, name, arguments: JSON.stringify(args) }],
});
const turns = [call('refund', { what: SECRET }), { content: `The ${SECRET} is paid.` }];
const start = { context: { who: SECRET } };

/** All that the server keeps of a workflow, byte by byte. */
async function kept({ client }: Desk, workflowId: string): Promise<string> {
  const { workflowService: service, options } = client.temporal;
  const of = { namespace: options.namespace, execution: { workflowId } };
  const history = await service.getWorkflowExecutionHistory(of);
  const description = await service.describeWorkflowExecution(of);
  return Buffer.concat([
    GetWorkflowExecutionHistoryResponse.encode(history).finish(),
    DescribeWorkflowExecutionResponse.encode(description).finish(),
  ]).toString('latin1');
}

async function refunded({ client, ...desk }: Desk, input: string): Promise<string> {
  const { runId, pending } = await client.run('desk', desk.play(turns, input), start);
  await client.runWithAnswer(
    runId,
    approve(pending?.id ?? '', { by: 'ann', input: { what: `a ${SECRET}` } }),
  );
  return runId;
}

async function eventsOf(client: HoldpointClient, runId: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of client.events(runId, { follow: false })) events.push(event);
  return events;
}

test('with a codec no text of a run lies on the server, and its client reads all of it', async () => {
  const input = `One ${SECRET} ${newId()}`;
  expect(await kept(plain, await refunded(plain, input))).toContain(SECRET);
  const runId = await refunded(desk, input);
  expect(await kept(desk, runId)).not.toContain(SECRET);
  const view = await desk.client.get(runId);
  expect(view).toMatchObject({
    status: 'done',
    text: `The ${SECRET} is paid.`,
    receipts: [{ by: 'ann' }],
  });
  expect(view.toolCalls).toMatchObject([{ args: { what: `a ${SECRET}` }, isError: false }]);
  const events = await eventsOf(desk.client, runId);
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['model', 'request', 'answer', 'tool', 'run']),
  );
  const history = await desk.client.temporal.workflow.getHandle(runId).fetchHistory();
  await replayCheck(history, { payloadCodecs, workflowBundle: await workflowBundle() });
  const repeated = await desk.client.start('desk', input, { ...start, runId });
  expect(repeated.runId).toBe(runId);
});

test('lists, conversations and sub-agents work through a codec', async () => {
  const id = newId();
  const halted = await desk.client.ask('desk', id, desk.play(turns, `Two ${SECRET} ${id}`));
  await until('it is listed', async () => {
    const rows = await desk.client.requests({ approver: 'ann' });
    return rows.some((row) => row.runId === halted.runId && row.request.id === halted.pending?.id);
  });
  const done = await desk.client.askWithAnswer(id, approve(pendingId(halted), { by: 'ann' }));
  expect(done).toMatchObject({ status: 'done', text: `The ${SECRET} is paid.` });
  expect(await kept(desk, `conversation/${id}`)).not.toContain(SECRET);

  const asked = desk.play(turns, `Three ${SECRET} ${id}`);
  const outer = desk.play([call('clerk', { input: asked }), { content: 'Done.' }]);
  const below = await desk.client.run('desk', outer);
  expect(below.pending).toMatchObject({ path: ['clerk'], data: { input: { what: SECRET } } });
  expect(
    await desk.client.runWithAnswer(below.runId, approve(pendingId(below), { by: 'ann' })),
  ).toMatchObject({
    status: 'done',
  });
  expect(await kept(desk, below.runId)).not.toContain(SECRET);
});

test('a client without the codec, or with another key, is told so by every call, and harms nothing', async () => {
  const waiting = await desk.client.run('desk', desk.play(turns, `Four ${SECRET} ${newId()}`));
  const { runId, pending } = waiting;
  const ended = await refunded(desk, `Five ${SECRET} ${newId()}`);
  const answer = approve(pending?.id ?? '', { by: 'ann' });
  for (const codecs of [[], [aesCodec(randomBytes(32))]]) {
    const warnings: string[] = [];
    const logger = { warn: (_: object, message: string) => warnings.push(message) };
    const blind = await desk.connect({ payloadCodecs: codecs, logger });
    try {
      const unreadable = holdpointError('Holdpoint.Data.Unreadable', /payloadCodecs/);
      for (const id of [runId, ended]) {
        await expect(blind.get(id)).rejects.toEqual(unreadable);
        await expect(eventsOf(blind, id)).rejects.toEqual(unreadable);
      }
      await expect(blind.result(ended)).rejects.toEqual(unreadable);
      await expect(blind.answer(runId, answer)).rejects.toEqual(unreadable);
      await until('it is listed', async () => (await blind.list({})).some((row) => row.runId === runId));
    } finally {
      await blind.disconnect();
    }
  }
  expect(await desk.client.runWithAnswer(runId, answer)).toMatchObject({ status: 'done' });
});

test('one run that a codec throws at hides no other from the lists', async () => {
  const { runId } = await desk.client.run('desk', desk.play(turns, `Six ${SECRET} ${newId()}`));
  const throwing: PayloadCodec = {
    encode: (payloads) => Promise.resolve(payloads),
    decode: () => Promise.reject(new Error('The key is another one')),
  };
  const other = await desk.connect({ payloadCodecs: [throwing] });
  try {
    await until(
      'it is listed',
      async () => (await other.list({})).some((row) => row.runId === runId),
      60_000,
    );
    await expect(other.get(runId)).rejects.toEqual(
      holdpointError('Holdpoint.Data.Unavailable', /another one/),
    );
    await other.cancel(runId);
  } finally {
    await other.disconnect();
  }
  expect(await desk.client.result(runId)).toMatchObject({ status: 'cancelled' });
}, 120_000);

test('a worker without the codec fails what starts on it, and open runs wait for one that has it', async () => {
  const client = await plain.connect({ payloadCodecs });
  try {
    const started = await client.run('desk', plain.play(turns));
    expect(started).toMatchObject({ status: 'failed', error: { type: 'Holdpoint.Run.InvalidInput' } });
  } finally {
    await client.disconnect();
  }

  const { runId, pending } = await desk.client.run('desk', desk.play(turns, `Five ${SECRET} ${newId()}`));
  await desk.stopWorker();
  await desk.startWorker({ payloadCodecs: [] });
  const handle = desk.client.temporal.workflow.getHandle(runId);
  await handle.signal('runWithAnswer', approve(pending?.id ?? '', { by: 'ann' }));
  await until('it has tried', async () => {
    const { events } = await handle.fetchHistory();
    return events?.some((event) => event.workflowTaskFailedEventAttributes) === true;
  });
  await desk.stopWorker();
  await desk.startWorker();
  expect(await desk.client.result(runId)).toMatchObject({ status: 'done' });
}, 60_000);
