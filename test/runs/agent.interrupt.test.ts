import { approve } from '../../src/agent/decisions';
import type { JsonObject } from '../../src/agent/json';
import { relayAnswer } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { agentTool, defineAgent, defineTool, relayTool } from '../../src/tools';
import type { ScriptedTurn } from '../../src/testing';
import { newId, openDesk, pendingId, type Desk } from '../client/desk';
import { bareRun } from '../support/bare-run';
import { holdpointError, matching } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';

let desk: Desk;
/** Executions by run and call. */
const ran: string[] = [];
const begun = new Set<string>();

const pay = defineTool({
  name: 'pay',
  description: 'Pays',
  inputSchema: { type: 'object', properties: { note: { type: 'string' } } },
  needsApproval: true,
  execute: (_args, { runId, callId }) => {
    ran.push(`${String(runId)} ${callId}`);
    return 'paid';
  },
});
const slow = defineTool({
  name: 'slow',
  description: 'Never ends',
  execute: (_args, { signal, runId }) =>
    new Promise((resolve) => {
      begun.add(String(runId));
      signal.addEventListener('abort', () => resolve('stopped'));
    }),
});
const stock = relayTool({ name: 'stock', description: 'Units in stock' });
const brief = relayTool({ name: 'brief', description: 'Answers soon', expiresIn: 5_000 });
const clerk = defineAgent({ name: 'clerk', model: 'scripted', tools: [pay, slow, stock, brief] });
const agents = [defineAgent({ name: 'desk', model: 'scripted', tools: [agentTool(clerk), stock] })];

beforeAll(async () => {
  quietRuntime();
  desk = await openDesk(agents);
});
beforeEach(() => ran.splice(0));
afterAll(() => desk?.close());

const done: ScriptedTurn = { content: 'Done.' };
const calls = (...each: [name: string, args?: JsonObject][]): ScriptedTurn => ({
  toolCalls: each.map(([name, args = {}], n) => ({ id: `c${n}`, name, arguments: args })),
});
const task = (...turns: ScriptedTurn[]) => ({ input: desk.play([...turns, done]) });
const clerks = (...tasks: JsonObject[]) =>
  calls(...tasks.map((args): [string, JsonObject] => ['clerk', args]));
const childOf = ({ runId }: { readonly runId: string }, index = 0): string => `${runId}/agent-1-${index}`;
const handleOf = (workflowId: string) => desk.client.temporal.workflow.getHandle(workflowId);
const ids = ({ requests = [] }: RunResult) => requests.map(({ id }) => id);

test('a sub-agent that somebody terminates is an error for the model, and nobody is asked for it any more', async () => {
  const halted = await desk.client.run(
    'desk',
    desk.play([clerks(task(calls(['pay'])), task(calls(['pay']))), done]),
  );
  const [first = '', second = ''] = ids(halted);
  await handleOf(childOf(halted)).terminate('by hand');
  const left = async () => (await bareRun(desk.client, halted.runId).state()).requests;
  await until('its request is gone', async () => (await left()).length === 1);
  await expect(desk.client.answer(halted.runId, approve(first))).rejects.toEqual(
    holdpointError('Holdpoint.Answer.UnknownRequest'),
  );
  const end = await desk.client.runWithAnswer(halted.runId, approve(second));
  expect(end).toMatchObject({
    status: 'done',
    toolCalls: [{ output: matching(/^agent clerk failed: /), isError: true }, { output: 'Done.' }],
  });
  expect(ran).toEqual([`${childOf(halted, 1)} c0`]);
});

test('a sub-agent whose run is erased, too', async () => {
  const halted = await desk.client.run('desk', desk.play([clerks(task(calls(['pay']))), done]));
  await desk.client.erase({ runId: childOf(halted) });
  await expect(desk.client.result(halted.runId)).resolves.toMatchObject({
    status: 'done',
    toolCalls: [{ isError: true }],
  });
  expect(ran).toEqual([]);
});

test('two answers at once, by update and by signal: one is accepted, and the call below runs once', async () => {
  const halted = await desk.client.run('desk', desk.play([clerks(task(calls(['pay']))), done]));
  const answers = Array.from({ length: 6 }, (_, n) => ({
    ...approve(pendingId(halted)),
    answerId: `a${n}`,
    by: `p${n}`,
  }));
  const bare = bareRun(desk.client, halted.runId);
  const outcomes = await Promise.allSettled([
    ...answers.slice(0, 3).map((answer) => bare.update(answer)),
    ...answers.slice(3).map((answer) => bare.signal(answer)),
  ]);
  const end = await desk.client.result(halted.runId);
  const accepted = ((await desk.client.get(halted.runId)).receipts ?? []).filter(
    (receipt) => receipt.accepted,
  );
  expect(accepted).toHaveLength(1);
  expect(outcomes.slice(0, 3).filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  expect(end.status).toBe('done');
  expect(ran).toEqual([`${childOf(halted)} c0`]);
});

test('an answer that races a cancel: the call below runs at most once, and both runs end', async () => {
  for (let round = 0; round < 5; round += 1) {
    ran.splice(0);
    const halted = await desk.client.run('desk', desk.play([clerks(task(calls(['pay']))), done]));
    const bare = bareRun(desk.client, halted.runId);
    await Promise.allSettled([bare.update(approve(pendingId(halted))), handleOf(childOf(halted)).cancel()]);
    const end = await desk.client.result(halted.runId);
    expect(end.status).toBe('done');
    expect(ran.length).toBeLessThanOrEqual(1);
    const below = await desk.client.get(childOf(halted));
    expect(['done', 'cancelled']).toContain(below.status);
  }
}, 60_000);

test('R23: a final part of a surfaced relay request settles the calls that it leaves out, below', async () => {
  const halted = await desk.client.run(
    'desk',
    desk.play([clerks(task(calls(['stock'], ['stock'], ['stock']))), done]),
  );
  const id = pendingId(halted);
  const bare = bareRun(desk.client, halted.runId);
  await bare.signal(relayAnswer(id, [{ id: 'c1', output: '1' }]));
  const final = relayAnswer(id, [{ id: 'c0', output: '0' }]);
  await bare.update({ ...final, data: { ...final.data, final: true } });
  expect((await desk.client.result(halted.runId)).status).toBe('done');
  const below = await desk.client.get(childOf(halted));
  expect(below.toolCalls.map(({ output }) => output)).toEqual([
    '0',
    '1',
    'no result supplied on resume for stock',
  ]);
});

test('edits that are too large together below: the one too many is an error there, and the run ends', async () => {
  const halted = await desk.client.run(
    'desk',
    desk.play([clerks(task(calls(['pay'], ['pay'], ['pay']))), done]),
  );
  const input = { note: 'x'.repeat(100_000) };
  for (const id of ids(halted)) await desk.client.answer(halted.runId, approve(id, { input }));
  expect((await desk.client.result(halted.runId)).status).toBe('done');
  const { toolCalls } = await desk.client.get(childOf(halted));
  expect(toolCalls.map(({ isError }) => isError).sort()).toEqual([false, false, true]);
  expect(ran).toHaveLength(2);
});

test('thirty sub-agents of one message, each with a large context: all start, and all end once', async () => {
  const tasks = Array.from({ length: 30 }, () => task(calls(['pay'])));
  const context = { shop: 'x'.repeat(150_000) };
  const halted = await desk.client.run('desk', desk.play([clerks(...tasks), done]), {
    context,
    waitMs: 150_000,
  });
  expect(halted.requests).toHaveLength(30);
  const outcomes = await desk.client.answerAll(
    halted.runId,
    ids(halted).map((id) => approve(id)),
  );
  expect(outcomes.every(({ ok }) => ok)).toBe(true);
  const end = await desk.client.result(halted.runId, { waitMs: 150_000 });
  expect(end.toolCalls.map(({ output }) => output)).toEqual(tasks.map(() => 'Done.'));
  expect(ran.sort()).toEqual(tasks.map((_, n) => `${childOf(halted, n)} c0`).sort());
}, 300_000);

test('R36: time that a sub-agent waits is not the run’s, time that it works is', async () => {
  const limits = { timeoutMs: 4_000 };
  const waited = desk.client.run('desk', desk.play([clerks(task(calls(['brief']))), done]), { limits });
  const { runId } = await waited;
  await expect(desk.client.result(runId)).resolves.toMatchObject({ status: 'done' });
  const worked = await desk.client.run(
    'desk',
    desk.play([clerks(task(calls(['slow']), calls(['pay']))), done]),
    {
      limits,
    },
  );
  expect(worked).toMatchObject({ status: 'incomplete', limit: 'timeoutMs', toolCalls: [{ isError: true }] });
  expect((await desk.client.get(childOf(worked))).status).toBe('cancelled');
  expect(ran).toEqual([]);
}, 60_000);

test('R40: an ask goes on without what its sub-agent waits on, is abandoned, and the next one asks again', async () => {
  const id = newId();
  const turns = [
    clerks(task(calls(['pay']))),
    done,
    clerks(task(calls(['pay']))),
    clerks(task(calls(['pay']))),
    done,
  ];
  await desk.client.ask('desk', id, desk.play(turns));
  const second = await desk.client.ask('desk', id, 'Two', { whilePending: 'decline' });
  expect(second.pending).toMatchObject({ path: ['clerk'] });
  const first = await desk.client.get(`${id}/1`);
  expect(first).toMatchObject({ status: 'done', toolCalls: [{ output: 'Done.' }] });
  await desk.client.abandon(id, 'no time');
  expect((await desk.client.result(`${id}/2`)).status).toBe('cancelled');
  expect((await desk.client.get(`${id}/2/agent-1-0`)).status).toBe('cancelled');
  const third = await desk.client.ask('desk', id, 'Three');
  const end = await desk.client.askWithAnswer(id, approve(pendingId(third)));
  expect(end.status).toBe('done');
  expect(ran).toEqual([`${id}/3/agent-1-0 c0`]);
  await desk.client.close(id);
}, 60_000);

describe('with a waitFor on the worker', () => {
  const asked: string[] = [];
  beforeAll(async () => {
    await desk.stopWorker();
    await desk.startWorker({
      waitFor: (request) => {
        asked.push(request.kind);
        if (request.kind === 'approval') return approve(request.id);
        throw new Error('The till is shut');
      },
    });
  });

  test('R32: it is asked what a sub-agent asks, once', async () => {
    const end = await desk.client.run('desk', desk.play([clerks(task(calls(['pay']))), done]));
    expect(end.status).toBe('done');
    expect(asked.splice(0)).toEqual(['approval']);
    expect(ran).toEqual([`${childOf(end)} c0`]);
  });

  test('R32: where it throws the run fails, and takes its sub-agents along, at work or halted', async () => {
    const text = desk.play([
      calls(['clerk', task(calls(['stock']))], ['clerk', task(calls(['slow']))]),
      done,
    ]);
    const end = await desk.client.run('desk', text);
    expect(end).toMatchObject({ status: 'failed', error: { type: 'Holdpoint.Run.WaitForFailed' } });
    for (const index of [0, 1]) expect((await desk.client.get(childOf(end, index))).status).toBe('cancelled');
  });
});
