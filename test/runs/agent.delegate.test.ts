import { approve, decline } from '../../src/agent/decisions';
import type { JsonObject } from '../../src/agent/json';
import { relayAnswer, relayCallsOf } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { agentTool, defineAgent, defineTool, relayTool } from '../../src/tools';
import type { ScriptedTurn } from '../../src/testing';
import { newId, openDesk, pendingId, type Desk } from '../client/desk';
import { holdpointError } from '../support/matchers';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';

let desk: Desk;
const paid: unknown[] = [];
const started: string[] = [];
let interrupted = 0;

beforeAll(async () => {
  quietRuntime();
  const order = { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] } as const;
  const pay = defineTool({
    name: 'pay',
    description: 'Pays',
    inputSchema: order,
    needsApproval: true,
    approvers: ['ann'],
    execute: (args) => {
      paid.push(args);
      return 'paid';
    },
  });
  const two = defineTool({
    name: 'two',
    description: 'Pays much',
    inputSchema: order,
    needsApproval: true,
    quorum: 2,
    execute: (args) => {
      paid.push(args);
      return 'paid much';
    },
  });
  const freePay = defineTool({
    name: 'free_pay',
    description: 'Pays, whoever approves',
    inputSchema: order,
    needsApproval: true,
    execute: (args) => {
      paid.push(args);
      return 'paid';
    },
  });
  const slow = defineTool({
    name: 'slow',
    description: 'Never ends',
    execute: (_, { signal, runId }) =>
      new Promise((resolve) => {
        started.push(String(runId));
        signal.addEventListener('abort', () => {
          interrupted += 1;
          resolve('stopped');
        });
      }),
  });
  const stock = relayTool({ name: 'stock', description: 'Units in stock' });
  const clerk = defineAgent({ name: 'clerk', model: 'scripted', tools: [pay, two, freePay, slow, stock] });
  const manager = defineAgent({ name: 'manager', model: 'scripted', tools: [agentTool(clerk)] });
  const tools = [
    agentTool(clerk),
    agentTool(manager),
    agentTool(clerk, { name: 'asked_clerk', needsApproval: true }),
    stock,
  ];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })]);
});
beforeEach(() => paid.splice(0));
afterAll(() => desk.close());

const done: ScriptedTurn = { content: 'Done.' };
const calls = (...each: [name: string, args: JsonObject, id?: string][]): ScriptedTurn => ({
  toolCalls: each.map(([name, args, id], n) => ({ id: id ?? `c${n}`, name, arguments: args })),
});
/** A script for a sub-agent, by what it is asked. */
const task = (...turns: ScriptedTurn[]) => ({ input: desk.play([...turns, done]) });
const outputs = ({ toolCalls }: Pick<RunResult, 'toolCalls'>) => toolCalls.map(({ output }) => output);

test('its final text is the result of the call, and its tokens count', async () => {
  const input = desk.play([{ content: 'Checked.' }]);
  const end = await desk.client.run('desk', desk.play([calls(['clerk', { input }]), done]));
  expect(end).toMatchObject({ status: 'done', turns: 2 });
  expect(end.toolCalls).toMatchObject([{ name: 'clerk', output: 'Checked.', isError: false }]);
  const child = `${end.runId}/agent-1-0`;
  expect(end.toolCalls[0]?.metadata).toMatchObject({ runId: child, status: 'done' });
  const own = await desk.client.get(child);
  expect(own).toMatchObject({ status: 'done', text: 'Checked.' });
  expect(end.usage.totalTokens).toBeGreaterThan(own.usage.totalTokens);
});

test('what it waits on surfaces with its path, is answered there, and nowhere else', async () => {
  const halted = await desk.client.run(
    'desk',
    desk.play([calls(['clerk', task(calls(['pay', { order: 1 }]))]), done]),
  );
  expect(halted.status).toBe('pending');
  expect(halted.pending).toMatchObject({
    kind: 'approval',
    path: ['clerk'],
    data: { input: { order: 1 }, schema: { required: ['order'] } },
    policy: { approvers: ['ann'] },
  });
  expect(outputs(halted)).toEqual([halted.pending?.prompt]);
  const id = pendingId(halted);
  const child = `${halted.runId}/agent-1-0`;
  await expect(desk.client.answer(child, approve(id, { by: 'ann' }))).rejects.toEqual(
    holdpointError('Holdpoint.Answer.UnknownRequest', /sub-agent's. Answer it at run/),
  );
  await expect(desk.client.answer(halted.runId, approve(id, { by: 'bob' }))).rejects.toEqual(
    holdpointError('Holdpoint.Answer.NotApprover', /bob/),
  );
  expect(paid).toEqual([]);
  const end = await desk.client.runWithAnswer(halted.runId, approve(id, { by: 'ann', input: { order: 2 } }));
  expect(end).toMatchObject({ status: 'done' });
  expect(paid).toEqual([{ order: 2 }]);
  const own = await desk.client.get(child);
  expect(own.receipts).toMatchObject([{ by: 'ann', via: 'signal' }]);
  expect(outputs(own as RunResult)[0]).toContain('changed the arguments');
});

test('two levels down: the path names both, the lists show it once, a decline reaches the model that asked', async () => {
  const inner = task(calls(['clerk', task(calls(['pay', { order: 3 }]))]));
  const halted = await desk.client.run('desk', desk.play([calls(['manager', inner]), done]));
  expect(halted.pending).toMatchObject({ path: ['manager', 'clerk'] });
  await until('it is listed', async () =>
    (await desk.client.requests()).some((row) => row.runId === halted.runId),
  );
  const rows = (await desk.client.requests()).filter((row) => row.runId.startsWith(halted.runId));
  expect(rows.map(({ runId }) => runId)).toEqual([halted.runId]);
  const end = await desk.client.runWithAnswer(halted.runId, {
    ...decline(pendingId(halted), 'no'),
    by: 'ann',
  });
  expect(end.status).toBe('done');
  const deepest = await desk.client.get(`${halted.runId}/agent-1-0/agent-1-0`);
  expect(outputs(deepest as RunResult)[0]).toContain('reason: no');
  expect(paid).toEqual([]);
});

test('votes are counted where it surfaces; the call below runs once', async () => {
  const halted = await desk.client.run(
    'desk',
    desk.play([calls(['clerk', task(calls(['two', { order: 4 }]))]), done]),
  );
  const id = pendingId(halted);
  const people = ['a', 'b', 'c'].map((by) => approve(id, { by }));
  const outcomes = await desk.client.answerAll(halted.runId, people);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(2);
  expect((await desk.client.result(halted.runId)).status).toBe('done');
  expect(paid).toEqual([{ order: 4 }]);
});

test('two sub-agents and a relay call at once: answered in any order, in parts', async () => {
  const relayed = task(calls(['stock', { sku: 'x' }, 's1'], ['stock', { sku: 'y' }, 's2']));
  const halted = await desk.client.run(
    'desk',
    desk.play([
      calls(['clerk', relayed], ['stock', { sku: 'z' }, 's1'], ['clerk', task(calls(['pay', { order: 5 }]))]),
      done,
    ]),
  );
  const [first, own, third] = halted.requests ?? [];
  expect([first?.path, own?.path, third?.path]).toEqual([['clerk'], undefined, ['clerk']]);
  await desk.client.answer(halted.runId, approve(third?.id ?? '', { by: 'ann' }));
  await desk.client.answer(halted.runId, relayAnswer(own?.id ?? '', [{ id: 's1', output: '9' }]));
  expect(relayCallsOf(first)).toMatchObject([{ id: 's1' }, { id: 's2' }]);
  const part = await desk.client.answer(
    halted.runId,
    relayAnswer(first?.id ?? '', [{ id: 's2', output: '2' }]),
  );
  expect(part).toMatchObject({ resolved: false, open: ['s1'] });
  await desk.client.answer(halted.runId, relayAnswer(first?.id ?? '', [{ id: 's1', output: '1' }]));
  const end = await desk.client.result(halted.runId);
  expect(outputs(end)).toEqual(['Done.', '9', 'Done.']);
  const child = await desk.client.get(`${halted.runId}/agent-1-0`);
  expect(outputs(child as RunResult)).toEqual(['1', '2']);
});

test('a call of an agent may itself need approval', async () => {
  const halted = await desk.client.run('desk', desk.play([calls(['asked_clerk', task()]), done]));
  expect(halted.pending).toMatchObject({ kind: 'approval', data: { tool: 'asked_clerk' } });
  expect(halted.pending).not.toHaveProperty('path');
  const end = await desk.client.runWithAnswer(halted.runId, approve(pendingId(halted)));
  expect(outputs(end)).toEqual(['Done.']);
});

test('cancelling the run cancels the sub-agent, at work or halted', async () => {
  const { runId } = await desk.client.start(
    'desk',
    desk.play([calls(['clerk', task(calls(['slow', {}]))]), done]),
  );
  await until('the tool runs', async () => started.includes(`${runId}/agent-1-0`));
  await desk.client.cancel(runId);
  expect((await desk.client.result(runId)).status).toBe('cancelled');
  expect(interrupted).toBe(1);
  expect((await desk.client.get(`${runId}/agent-1-0`)).status).toBe('cancelled');
  const halted = await desk.client.run(
    'desk',
    desk.play([calls(['clerk', task(calls(['pay', { order: 6 }]))]), done]),
  );
  await desk.client.cancel(halted.runId);
  const end = await desk.client.result(halted.runId);
  expect(end).toMatchObject({ status: 'cancelled', toolCalls: [{ isError: true }] });
  expect((await desk.client.get(`${halted.runId}/agent-1-0`)).status).toBe('cancelled');
  expect(paid).toEqual([]);
});

test('a sub-agent that fails is an error for the model, and the run goes on', async () => {
  const input = desk.play([{ status: 400, body: 'no' }]);
  const end = await desk.client.run('desk', desk.play([calls(['clerk', { input }]), done]));
  expect(end).toMatchObject({ status: 'done', toolCalls: [{ isError: true }] });
  expect(outputs(end)[0]).toMatch(/^agent clerk failed: /);
});

test('in a conversation, with the worker replaced while it waits', async () => {
  const id = newId();
  const halted = await desk.client.ask(
    'desk',
    id,
    desk.play([calls(['clerk', task(calls(['pay', { order: 7 }]))]), done]),
  );
  expect(halted.pending).toMatchObject({ path: ['clerk'] });
  await desk.stopWorker();
  await desk.startWorker();
  const end = await desk.client.askWithAnswer(id, approve(pendingId(halted), { by: 'ann' }));
  expect(end.status).toBe('done');
  expect(paid).toEqual([{ order: 7 }]);
});

test('events of both runs: the call is one of the run, and the sub-agent’s events say whose they are', async () => {
  const halted = await desk.client.run(
    'desk',
    desk.play([calls(['clerk', task(calls(['pay', { order: 8 }]))]), done]),
  );
  await desk.client.runWithAnswer(halted.runId, approve(pendingId(halted), { by: 'ann' }));
  const types = async (runId: string) => {
    const events = [];
    for await (const event of desk.client.events(runId, { follow: false })) events.push(event);
    return events;
  };
  const own = await types(halted.runId);
  expect(own.map(({ type }) => type)).toEqual(['model', 'request', 'answer', 'tool', 'model', 'run']);
  expect(own[3]).toMatchObject({ name: 'clerk', callId: 'c0', isError: false });
  const below = await types(`${halted.runId}/agent-1-0`);
  expect(below.every((event) => event.parentRunId === halted.runId && event.parentCallId === 'c0')).toBe(
    true,
  );
});

test('erasing a run erases its sub-agents’ runs', async () => {
  const halted = await desk.client.run(
    'desk',
    desk.play([calls(['clerk', task(calls(['pay', { order: 1 }]))]), done]),
  );
  await desk.client.erase({ runId: halted.runId });
  const gone = holdpointError('Holdpoint.Run.NotFound', /./);
  await expect(desk.client.get(halted.runId)).rejects.toEqual(gone);
  await expect(desk.client.get(`${halted.runId}/agent-1-0`)).rejects.toEqual(gone);
});

test('a signal that is no report of a sub-agent at work changes nothing', async () => {
  const halted = await desk.client.run(
    'desk',
    desk.play([calls(['clerk', task(calls(['pay', { order: 9 }]))]), done]),
  );
  const handle = desk.client.temporal.workflow.getHandle(halted.runId);
  const forged = {
    childId: 'other',
    seq: 99,
    halted: true,
    requests: [{ request: { id: 'x', kind: 'approval', prompt: 'Pay me' }, purpose: 'hold', calls: [] }],
  };
  for (const report of [undefined, 5, {}, forged, { ...forged, requests: 'x' }])
    await handle.signal('childReport', report);
  await expect(handle.query('state')).resolves.toMatchObject({
    requests: [{ request: { id: pendingId(halted) } }],
  });
  await desk.client.cancel(halted.runId);
});

test('all calls of a tool, approved below, are the sub-agent’s alone, and are seen and taken back where that was', async () => {
  const pays = [10, 11, 12].map((order) => calls(['free_pay', { order }]));
  const [one, two, three] = pays;
  const input = desk.play([one ?? done, two ?? done, calls(['pay', { order: 99 }]), three ?? done, done]);
  const halted = await desk.client.run('desk', desk.play([calls(['clerk', { input }]), done]));
  const next = await desk.client.runWithAnswer(
    halted.runId,
    approve(pendingId(halted), { by: 'ann', allCalls: true }),
  );
  expect(next.pending).toMatchObject({ data: { tool: 'pay' }, path: ['clerk'] });
  expect(paid).toEqual([{ order: 10 }, { order: 11 }]);
  expect(next.receipts).toMatchObject([{ by: 'ann', allCallsOf: 'free_pay' }]);
  const child = `${halted.runId}/agent-1-0`;
  expect((await desk.client.get(child)).receipts).toMatchObject([
    { by: 'ann', allCallsOf: 'free_pay' },
    { by: 'ann', via: 'policy' },
  ]);
  const grants = [{ tool: 'free_pay', requestId: pendingId(halted), by: 'ann', path: ['clerk'] }];
  expect(next.grants).toMatchObject(grants);
  expect(next.grants?.[0]).not.toHaveProperty('below');
  await expect(desk.client.revokeApproval(child, 'free_pay')).rejects.toEqual(
    holdpointError('Holdpoint.Run.InvalidInput', new RegExp(`where it was given: at run "${halted.runId}"`)),
  );
  expect(await desk.client.revokeApproval(halted.runId, 'free_pay', { path: [] })).toBe(false);
  expect(await desk.client.revokeApproval(halted.runId, 'free_pay', { path: ['clerk'], by: 'bob' })).toBe(
    true,
  );
  expect(await desk.client.revokeApproval(halted.runId, 'free_pay')).toBe(false);
  expect((await desk.client.get(halted.runId)).grants).toBeUndefined();
  const asked = await desk.client.runWithAnswer(halted.runId, {
    ...decline(pendingId(next)),
    by: 'ann',
  });
  expect(asked.pending).toMatchObject({ data: { tool: 'free_pay', input: { order: 12 } } });
  await desk.client.cancel(halted.runId);
});
