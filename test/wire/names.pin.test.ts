/**
 * What other processes, other SDKs and other versions depend on, in literals: a bare Temporal client that knows
 * nothing of Holdpoint drives a run and a conversation. A change here breaks runs that are open now.
 */
import { Client, WithStartWorkflowOperation } from '@temporalio/client';
import { defineAgent, defineTool, relayTool } from '../../src/tools';
import { calls, newId, openDesk, relayed, type Desk } from '../client/desk';
import { matching, objectWith } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';

type Fields = Record<string, unknown>;

let desk: Desk;
let bare: Client;

beforeAll(async () => {
  quietRuntime();
  const look = defineTool({ name: 'look', description: 'Look', execute: () => 'seen' });
  const ask = relayTool({ name: 'ask', description: 'Ask', expiresIn: '1 hour' });
  desk = await openDesk([
    defineAgent({
      name: 'desk',
      model: 'scripted',
      instructions: 'You help at the desk.',
      tools: [relayed, look],
    }),
    defineAgent({ name: 'hourly', model: 'scripted', tools: [ask] }),
  ]);
  const { connection, options } = desk.client.temporal;
  bare = new Client({ connection, namespace: options.namespace });
});
afterAll(() => desk.close());

const keysOf = (value: unknown): string[] => Object.keys(value as Fields).sort();

async function startRun(turns: Parameters<Desk['play']>[0], more: object = {}) {
  const args = [{ agent: 'desk', input: desk.play(turns), ...more }];
  return bare.workflow.start('agentRun', { workflowId: newId(), taskQueue: desk.taskQueue, args });
}

async function halted(turns: Parameters<Desk['play']>[0] = [calls('a'), { content: 'Done.' }]) {
  const handle = await startRun(turns, { context: { user: 7 }, limits: { maxTurns: 5 }, tenant: 'acme' });
  await until('the run is halted', async () => (await state(handle)).status === 'pending');
  return handle;
}

type Handle = Awaited<ReturnType<typeof startRun>>;

const state = async (handle: Pick<Handle, 'query'>): Promise<Fields> => handle.query('state');

function requestIn(snapshot: Fields): string {
  const [first] = snapshot['requests'] as { request: { id: string } }[];
  return first?.request.id ?? '';
}

test('agentRun is started with plain JSON, state and transcript tell where it stands', async () => {
  const handle = await halted();
  const snapshot = await state(handle);
  expect(keysOf(snapshot)).toEqual([
    'agent',
    'from',
    'marks',
    'model',
    'receipts',
    'rejections',
    'requests',
    'runId',
    'startedAt',
    'status',
    'tenant',
    'text',
    'to',
    'toolCallCount',
    'turns',
    'usage',
  ]);
  expect(snapshot).toMatchObject({ agent: 'desk', runId: handle.workflowId, tenant: 'acme', from: 0, to: 3 });
  const [open] = snapshot['requests'] as Fields[];
  expect(keysOf(open)).toEqual(['callIds', 'openedAt', 'request']);
  expect(open?.['request']).toEqual({
    id: expect.stringMatching(/^req_[0-9a-f-]{36}_1_0$/) as unknown,
    kind: 'tool_call',
    prompt: 'relay tool call stock to the caller for execution',
    data: { calls: [{ id: 'a', name: 'stock', input: { sku: 'a' }, arguments: '{"sku":"a"}' }] },
  });
  expect(snapshot['marks']).toEqual([{ at: 2, isError: true, pending: requestIn(snapshot) }]);
  expect(keysOf(snapshot['usage'])).toEqual(['inputTokens', 'outputTokens', 'totalTokens']);

  const page = await handle.query('transcript', { from: 1, maxBytes: 1 });
  expect(page).toMatchObject({ from: 1, messages: [{ role: 'assistant' }], next: 2, length: 3 });
  expect(keysOf(page)).toEqual(['from', 'length', 'messages', 'next']);
});

test('the signal runWithAnswer and the result of the workflow', async () => {
  const handle = await halted();
  const id = requestIn(await state(handle));
  await handle.signal('runWithAnswer', { id, ok: true, data: { output: '3' } });
  const outcome = (await handle.result()) as Fields;
  expect(keysOf(outcome)).toEqual(['model', 'runId', 'status', 'text', 'toolCallCount', 'turns', 'usage']);
  expect(outcome).toMatchObject({ status: 'done', text: 'Done.', runId: handle.workflowId });
  const ended = await state(handle);
  expect(keysOf(ended)).toContain('endedAt');
  const [accepted] = ended['receipts'] as Fields[];
  expect(keysOf(accepted)).toEqual(['fingerprint', 'receipt', 'turn']);
});

test('the update answer and its receipt', async () => {
  const handle = await halted();
  const id = requestIn(await state(handle));
  const answer = { id, ok: true, data: { output: '3' }, by: 'me', answerId: 'a1' };
  const receipt = await handle.executeUpdate('answer', { args: [answer] });
  expect(receipt).toEqual({
    requestId: id,
    answerId: 'a1',
    accepted: true,
    ok: true,
    resolved: true,
    settled: ['a'],
    open: [],
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
    by: 'me',
    via: 'update',
  });
});

test('a refused signal shows as a rejection with its error', async () => {
  const handle = await halted();
  await handle.signal('runWithAnswer', { id: 'nobody', ok: true, answerId: 'a1' });
  const [rejection] = (await state(handle))['rejections'] as Fields[];
  expect(rejection).toEqual({
    requestId: 'nobody',
    answerId: 'a1',
    at: expect.any(String) as unknown,
    error: {
      type: 'Holdpoint.Answer.UnknownRequest',
      message: expect.any(String) as unknown,
      data: { requestId: 'nobody', answerId: 'a1', runId: handle.workflowId },
    },
  });
});

test('the signal addMessage takes a text or a user message', async () => {
  const handle = await halted();
  await handle.signal('addMessage', 'One more thing');
  await handle.signal('addMessage', { role: 'user', content: 'And another' });
  await handle.signal('runWithAnswer', { id: requestIn(await state(handle)), ok: false });
  await handle.result();
  const { messages } = await handle.query<{ messages: Fields[] }, [object]>('transcript', {});
  expect(messages.slice(3).map((message) => message['content'])).toEqual([
    'One more thing',
    'And another',
    'Done.',
  ]);
});

test('the transcript page before the first one holds the system prompt and the context', async () => {
  const handle = await halted();
  await expect(handle.query('transcript', { from: -1 })).resolves.toEqual({
    from: -1,
    messages: [],
    next: 0,
    length: 3,
    system: 'You help at the desk.',
    context: { user: 7 },
  });
});

test('activity types and their inputs', async () => {
  const tool = await startRun([
    { toolCalls: [{ id: 'x', name: 'look', arguments: {} }] },
    { content: 'Seen.' },
  ]);
  await tool.result();
  const { events } = await tool.fetchHistory();
  const scheduled = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
  expect(scheduled.map(({ activityType }) => activityType?.name)).toEqual([
    'callModel',
    'callTool',
    'callModel',
  ]);
  const [first, call, second] = scheduled.map(({ input }): Fields => {
    const [payload] = input?.payloads ?? [];
    return JSON.parse(Buffer.from(payload?.data ?? []).toString()) as Fields;
  });
  const run = { runId: tool.workflowId, agent: 'desk', seed: tool.firstExecutionRunId, turn: 1, context: {} };
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown;
  expect(first).toEqual({
    run,
    transcript: { tail: [{ m: { role: 'user', content: matching(/^script/) } }] },
  });
  expect(call).toEqual({
    run,
    call: { index: 0, id: 'x', name: 'look', arguments: { text: '{}' } },
    mode: 'run',
    timeoutMs: 0,
  });
  expect(second).toEqual({
    run: { ...run, turn: 2 },
    transcript: { base: { digest, length: 1 }, tail: [{ m: objectWith({}) }, { m: objectWith({}) }] },
    system: digest,
  });
});

test('memo and search attributes while halted and at the end', async () => {
  const handle = await halted();
  const id = requestIn(await state(handle));
  const open = await handle.describe();
  expect(open.memo).toEqual({
    holdpoint: {
      status: 'pending',
      runId: handle.workflowId,
      change: 1,
      requests: [{ id, kind: 'tool_call', prompt: 'relay tool call stock to the caller for execution' }],
      events: [
        {
          type: 'request',
          runId: handle.workflowId,
          turn: 1,
          requestId: id,
          kind: 'tool_call',
          callIds: ['a'],
          startedAt: matching(/Z$/),
          endedAt: matching(/Z$/),
        },
      ],
    },
  });
  expect(attributesOf(open)).toEqual({
    HoldpointAgent: 'desk',
    HoldpointStatus: 'pending',
    HoldpointTenant: 'acme',
    HoldpointWaitingFor: ['kind:tool_call'],
  });
  await handle.signal('runWithAnswer', { id, ok: false });
  await handle.result();
  expect(attributesOf(await handle.describe())).toEqual({
    HoldpointAgent: 'desk',
    HoldpointStatus: 'done',
    HoldpointTenant: 'acme',
  });
});

test('the deadline attribute', async () => {
  const args = [
    { agent: 'hourly', input: desk.play([{ toolCalls: [{ id: 'a', name: 'ask', arguments: {} }] }]) },
  ];
  const workflowId = newId();
  const handle = await bare.workflow.start('agentRun', { workflowId, taskQueue: desk.taskQueue, args });
  await until('the run is halted', async () => (await state(handle)).status === 'pending');
  const [open] = (await state(handle))['requests'] as { request: { expiresAt: string } }[];
  const { HoldpointDeadline: deadline } = attributesOf(await handle.describe());
  expect(deadline).toEqual(new Date(open?.request.expiresAt ?? ''));
});

test('agentConversation: ask, abandon, cancel, close, and its state', async () => {
  const workflowId = `conversation/${newId()}`;
  const conversationId = workflowId.slice('conversation/'.length);
  const text = desk.play([{ content: 'Hello.' }, calls('a'), calls('b'), calls('c')]);
  const startWorkflowOperation = new WithStartWorkflowOperation('agentConversation', {
    workflowId,
    taskQueue: desk.taskQueue,
    args: [{ agent: 'desk', context: null, limits: {}, tenant: 'acme' }],
    workflowIdConflictPolicy: 'FAIL',
  });
  const first = await bare.workflow.executeUpdateWithStart('ask', {
    args: [{ input: text }],
    startWorkflowOperation,
  });
  expect(first).toEqual({ runId: `${conversationId}/1`, position: 0 });
  const handle = bare.workflow.getHandle(workflowId);
  const endedAsks = async (): Promise<Fields[]> =>
    ((await state(handle))['conversation'] as { ended: Fields[] }).ended;
  await until('the first ask has ended', async () => (await endedAsks()).length === 1);
  const snapshot = await state(handle);
  expect(keysOf(snapshot['conversation'])).toEqual(['asks', 'closed', 'ended', 'queued']);
  expect(keysOf((await endedAsks())[0])).toEqual([
    'agent',
    'conversationId',
    'endedAt',
    'from',
    'marks',
    'model',
    'runId',
    'startedAt',
    'status',
    'tenant',
    'text',
    'to',
    'toolCallCount',
    'turns',
    'usage',
  ]);

  const ask = (input: string) => handle.executeUpdate('ask', { args: [{ input, whilePending: 'queue' }] });
  const halts = () => until('it is halted', async () => (await state(handle)).status === 'pending');
  await ask('two');
  await halts();
  await handle.executeUpdate('abandon', { args: ['no time'] });
  await until('the second ask has ended', async () => (await endedAsks()).length === 2);
  await ask('three');
  await halts();
  await handle.executeUpdate('cancel', { args: [`${conversationId}/3`] });
  await until('the third ask has ended', async () => (await endedAsks()).length === 3);
  await ask('four');
  await halts();
  await handle.executeUpdate('close', { args: [] });
  await expect(handle.result()).resolves.toEqual({ asks: 4, closedBy: 'close' });
  expect((await endedAsks()).map((one) => one['status'])).toEqual([
    'done',
    'cancelled',
    'cancelled',
    'cancelled',
  ]);
});

test.each([
  ['done', [{ content: 'Hello.' }], {}, 'COMPLETED'],
  ['incomplete', [calls('a', 'b')], { limits: { maxToolCalls: 1 } }, 'COMPLETED'],
  ['failed', [{ status: 401 }], {}, 'FAILED'],
] as const)('status value: %s', async (status, turns, more, engine) => {
  const handle = await startRun(turns, more);
  if (status === 'incomplete') {
    await until('the run is halted', async () => (await state(handle)).status === 'pending');
    await handle.signal('runWithAnswer', { id: requestIn(await state(handle)), ok: false });
  }
  await handle.result().catch(() => undefined);
  expect(await state(handle)).toMatchObject({ status });
  expect((await handle.describe()).status.name).toBe(engine);
});

test('status values: running, pending, cancelled', async () => {
  let unlock = (): void => undefined;
  const hold = new Promise<void>((resolve) => (unlock = resolve));
  const handle = await startRun([{ ...calls('a'), hold }]);
  await until('it answers', async () => (await state(handle))['turns'] === 1);
  expect(await state(handle)).toMatchObject({ status: 'running' });
  unlock();
  await until('the run is halted', async () => (await state(handle)).status === 'pending');
  await handle.cancel();
  await handle.result().catch(() => undefined);
  expect(await state(handle)).toMatchObject({ status: 'cancelled' });
  expect((await handle.describe()).status.name).toBe('CANCELLED');
});

function attributesOf({ typedSearchAttributes }: Awaited<ReturnType<Handle['describe']>>): Fields {
  const pairs = typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value] as const);
  return Object.fromEntries(pairs.filter(([name]) => name.startsWith('Holdpoint')));
}
