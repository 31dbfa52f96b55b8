import type { Json } from '../../src/agent/json';
import { MAX_DURATION_MS } from '../../src/agent/limits';
import { CONVERSATION_PREFIX, type AskReceipt } from '../../src/agent/wire';
import { defineAgent, defineTool, pending, relayTool } from '../../src/tools';
import { matching } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { newId, openStage, page, type Stage } from './stage';

const never = { kind: 'question', prompt: 'Ready?', expiresAt: '9999-12-31T23:59:59Z' } as const;
const desk = defineAgent({
  name: 'desk',
  model: 'scripted',
  tools: [
    relayTool({ name: 'stock', description: '', expiresIn: '36500 days' }),
    defineTool({ name: 'wait', description: '', execute: () => pending(never) }),
  ],
});

let stage: Stage;
beforeAll(async () => {
  quietRuntime('silent');
  stage = await openStage({ agents: [desk] });
  await stage.startWorker();
});
afterAll(() => stage.close());

/** As another SDK, or `temporal workflow start`, does it. */
async function start(type: string, ...args: readonly unknown[]): Promise<string> {
  const { client, taskQueue } = stage;
  const workflowId = type === 'agentRun' ? newId() : `${CONVERSATION_PREFIX}${newId()}`;
  await client.temporal.workflow.start(type, { workflowId, taskQueue, args: [...args] });
  return workflowId;
}

async function expectRefused(workflowId: string, message: RegExp): Promise<void> {
  await expect(stage.client.temporal.workflow.getHandle(workflowId).result()).rejects.toMatchObject({
    cause: { type: 'Holdpoint.Run.InvalidInput', message: matching(message) },
  });
}

const BOTH = ['agentRun', 'agentConversation'];
const CENTURIES = 1e16;
const MALFORMED: readonly (readonly [what: string, type: string, fields: Json, message: RegExp])[] = [
  ...BOTH.flatMap((type) => [
    ['an empty agent', type, { agent: '' }, /`agent`/] as const,
    ['an endless agent', type, { agent: 'a'.repeat(1000) }, /`agent`/] as const,
    ['a tenant that is no text', type, { tenant: { a: 1 } }, /`tenant`/] as const,
    ['an endless tenant', type, { tenant: 'a'.repeat(1000) }, /`tenant`/] as const,
    ['limits that are a list', type, { limits: [] }, /`limits`/] as const,
    ['limits that are text', type, { limits: 'maxTurns' }, /`limits`/] as const,
    ['a limit that is text', type, { limits: { maxTurns: '3' } }, /`maxTurns`/] as const,
    ['a limit of nothing', type, { limits: { timeoutMs: 0 } }, /`timeoutMs`/] as const,
    ['a limit of centuries', type, { limits: { timeoutMs: CENTURIES } }, /`timeoutMs`/] as const,
    ['an unknown limit', type, { limits: { maxturns: 3 } }, /Unknown limit/] as const,
    ['a large context', type, { context: page(0, 300_000) }, /context/] as const,
  ]),
  ['no input', 'agentRun', { input: null }, /`input`/],
  ['an empty list as input', 'agentRun', { input: [] }, /`input`/],
  ['a number as input', 'agentRun', { input: 7 }, /`input`/],
  ['a system message', 'agentRun', { input: [{ role: 'system', content: 'x' }] }, /`input\[0\]`/],
  [
    'a call without a result',
    'agentRun',
    {
      input: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } }],
        },
      ],
    },
    /do not match/,
  ],
  [
    'calls that are none',
    'agentRun',
    { input: [{ role: 'assistant', content: null, tool_calls: [null] }] },
    /`input\[0\]`/,
  ],
  ['an idle time of centuries', 'agentConversation', { idleTtlMs: CENTURIES }, /`idleTtlMs`/],
  ['an idle time below nothing', 'agentConversation', { idleTtlMs: -1 }, /`idleTtlMs`/],
  ['half a millisecond', 'agentConversation', { idleTtlMs: 0.5 }, /`idleTtlMs`/],
  ['an idle time that is text', 'agentConversation', { idleTtlMs: '1d' }, /`idleTtlMs`/],
];

test.each(MALFORMED)(
  'R30: a start with %s fails as %s, typed, and is not tried again',
  async (_what, type, fields, message) => {
    await expectRefused(await start(type, { agent: 'desk', input: 'Hello', ...(fields as object) }), message);
  },
);

test.each(BOTH)('R30: what only a run hands on to itself cannot be given to a start of %s', async (type) => {
  for (const forged of [
    {},
    { schema: 1 },
    { schema: 1, transcript: { entries: [] }, run: { status: 'pending' } },
    7,
  ])
    await expectRefused(await start(type, { agent: 'desk', input: 'Hello' }, forged), /one argument/);
});

test('R9, R30: a run with a cron schedule is refused: its runs would share their idempotency keys', async () => {
  const { client, taskQueue } = stage;
  const workflowId = newId();
  const args = [{ agent: 'desk', input: 'Hello' }];
  const options = { workflowId, taskQueue, args, cronSchedule: '@every 1s', followRuns: false };
  const handle = await client.temporal.workflow.start('agentRun', options);
  // With a schedule, an end is followed by the next run, under another execution id.
  const first = client.temporal.workflow.getHandle(workflowId, handle.firstExecutionRunId, {
    followRuns: false,
  });
  await expect(first.result()).rejects.toMatchObject({ newExecutionRunId: matching(/./) });
  const { events } = await first.fetchHistory();
  const failure = events?.at(-1)?.workflowExecutionFailedEventAttributes?.failure;
  expect(failure?.message).toMatch(/cannot have a cron schedule/);
  await handle.terminate();
});

test('R31, R36: timers of a hundred years, and a request without an end, do not hold a run up', async () => {
  const turns = [
    { toolCalls: ['stock', 'wait'].map((name) => ({ id: name, name, arguments: {} })) },
    { content: 'Done.' },
  ];
  const limits = { timeoutMs: MAX_DURATION_MS };
  const run = await stage.client.run('desk', stage.play(turns), { limits });
  expect(run.requests?.map(({ expiresAt }) => expiresAt?.slice(0, 4))).toEqual([matching(/^21/), '9999']);
  await stage.client.runWithAnswer(run.runId, { id: run.requests?.[0]?.id ?? '', ok: false });
  const answer = { id: run.requests?.[1]?.id ?? '', ok: false };
  await expect(stage.client.runWithAnswer(run.runId, answer)).resolves.toMatchObject({ status: 'done' });
  const ask = { idleTtlMs: MAX_DURATION_MS, limits };
  await expect(
    stage.client.ask('desk', newId(), stage.play([{ content: 'Hello.' }]), ask),
  ).resolves.toMatchObject({ status: 'done' });
});

test('what other SDKs write for a field that is not there is no field', async () => {
  const nothing = { context: null, limits: null, tenant: null, idleTtlMs: null };
  const run = await start('agentRun', {
    agent: 'desk',
    input: stage.play([{ content: 'Hello.' }]),
    ...nothing,
  });
  await expect(stage.client.result(run)).resolves.toMatchObject({ status: 'done', text: 'Hello.' });
  const conversation = await start('agentConversation', { agent: 'desk', ...nothing }, null);
  const ask = { input: stage.play([{ content: 'Hi.' }]), agent: null, limits: null, whilePending: null };
  const handle = stage.client.temporal.workflow.getHandle(conversation);
  const { runId } = await handle.executeUpdate<AskReceipt, [unknown]>('ask', { args: [ask] });
  await expect(stage.client.result(runId)).resolves.toMatchObject({ status: 'done', text: 'Hi.' });
});
