import { answerDeclined, answerOutput, relayAnswer, relayCallsOf } from '../../src/agent/relay';
import type { RunResult } from '../../src/agent/result';
import { defineAgent, defineTool, relayTool } from '../../src/tools';
import type { ScriptedToolCall } from '../../src/testing';
import { openDesk, pendingId, relayed, type Desk } from '../client/desk';
import { bareRun } from '../support/bare-run';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';

/** Tools of a run that wait at their gate, by the run and their label. */
const gates = new Map<string, () => void>();
/** What happened in a run, in order. */
const events = new Map<string, string[]>();

const labelOf = ({ label }: Record<string, unknown>): string => (typeof label === 'string' ? label : '');
const note = (runId: string, what: string) => events.set(runId, [...(events.get(runId) ?? []), what]);

const inputSchema = { type: 'object', properties: { label: { type: 'string' } } };
const gated = (name: string, more: object = {}) =>
  defineTool({
    name,
    description: 'Waits until it may end',
    inputSchema,
    ...more,
    async execute(args, { runId = '' }) {
      const label = labelOf(args);
      note(runId, `begin ${label}`);
      await new Promise<void>((resolve) => gates.set(`${runId} ${label}`, resolve));
      note(runId, `end ${label}`);
      return `did ${label}`;
    },
  });
const quick = defineTool({
  name: 'quick',
  description: 'Ends at once',
  inputSchema,
  execute: (args) => `quick ${labelOf(args)}`,
});
const careful = relayTool({ name: 'careful', description: 'Asks first', needsApproval: true });
const approved = defineTool({
  name: 'approved',
  description: 'Asks first',
  needsApproval: true,
  execute: () => 'ran',
});

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  const tools = [relayed, gated('gated'), gated('alone', { exclusive: true }), quick, careful, approved];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })]);
});
afterAll(() => desk.close());

const c = (id: string, name: string): ScriptedToolCall => ({ id, name, arguments: { label: id } });

async function start(...toolCalls: ScriptedToolCall[]): Promise<string> {
  const { runId } = await desk.client.start('desk', desk.play([{ toolCalls }, { content: 'Done.' }]));
  return runId;
}

const run = (...toolCalls: ScriptedToolCall[]): Promise<RunResult> =>
  desk.client.run('desk', desk.play([{ toolCalls }, { content: 'Done.' }]));

async function open(runId: string, label: string): Promise<void> {
  await until(`${label} is at its gate`, () => gates.has(`${runId} ${label}`));
  gates.get(`${runId} ${label}`)?.();
}

const outputs = ({ toolCalls }: RunResult) => toolCalls.map(({ output }) => output);

test('R14: calls of one message run at the same time; results stand in the order of the calls', async () => {
  const runId = await start(c('a', 'gated'), c('b', 'gated'), c('d', 'gated'));
  await until('all have begun', () => events.get(runId)?.length === 3);
  for (const label of ['d', 'b', 'a']) {
    await open(runId, label);
    await until(`${label} has ended`, () => events.get(runId)?.includes(`end ${label}`) === true);
  }
  const done = await desk.client.result(runId);
  expect(outputs(done)).toEqual(['did a', 'did b', 'did d']);
  const ids = done.messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []));
  expect(ids).toEqual(['a', 'b', 'd']);
});

test('R14: an exclusive tool runs alone, after the calls before it and before those after it', async () => {
  const runId = await start(c('a', 'gated'), c('x', 'alone'), c('b', 'gated'));
  await open(runId, 'a');
  await open(runId, 'x');
  await open(runId, 'b');
  await desk.client.result(runId);
  expect(events.get(runId)).toEqual(['begin a', 'end a', 'begin x', 'end x', 'begin b', 'end b']);
});

test('R15: ordinary calls beside a relay call run and keep their results, before and after it', async () => {
  const halted = await run(c('a', 'quick'), c('r', 'stock'), c('b', 'quick'));
  expect(outputs(halted)).toEqual(['quick a', halted.pending?.prompt, 'quick b']);
  const done = await desk.client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '7'));
  expect(outputs(done)).toEqual(['quick a', '7', 'quick b']);
});

test('R15: ordinary results stay when the relay call beside them is declined', async () => {
  const halted = await run(c('a', 'quick'), c('r', 'stock'));
  const done = await desk.client.runWithAnswer(halted.runId, answerDeclined(pendingId(halted)));
  expect(outputs(done)).toEqual([
    'quick a',
    'declined/expired: relay tool call stock to the caller for execution',
  ]);
});

test('R16, R27: the model is called again only when every call has its one result, and nothing is added', async () => {
  const before = desk.model.requests.length;
  const halted = await run(c('r', 'stock'), c('s', 'stock'));
  await desk.client.answer(halted.runId, relayAnswer(pendingId(halted), [{ id: 's', output: '2' }]));
  expect(desk.model.requests).toHaveLength(before + 1);
  await desk.client.runWithAnswer(halted.runId, answerOutput(pendingId(halted), '1'));
  expect(desk.model.requests).toHaveLength(before + 2);
  const { messages } = desk.model.requests.at(-1)?.body as { messages: object[] };
  expect(messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
    { role: 'tool', tool_call_id: 'r', content: '1' },
    { role: 'tool', tool_call_id: 's', content: '2' },
  ]);
  expect(messages).toHaveLength(4);
});

test('R20: relay calls of one message ride one request, in call order, whatever stands between them', async () => {
  const halted = await run(c('r', 'stock'), c('a', 'quick'), c('s', 'stock'));
  expect(halted.requests).toHaveLength(1);
  expect(halted.pending?.prompt).toBe('relay tool call stock to the caller for execution');
  expect(relayCallsOf(halted.pending)).toEqual([
    { id: 'r', name: 'stock', input: { label: 'r' }, arguments: '{"label":"r"}' },
    { id: 's', name: 'stock', input: { label: 's' }, arguments: '{"label":"s"}' },
  ]);
});

test('R20: where some need approval, the one request opens with the last decision, with those approved', async () => {
  const halted = await run(c('r', 'stock'), c('x', 'careful'), c('y', 'careful'));
  expect(halted.requests?.map(({ kind }) => kind)).toEqual(['approval', 'approval']);
  const [first, second] = halted.requests ?? [];
  const still = await desk.client.runWithAnswer(halted.runId, { id: first?.id ?? '', ok: true });
  expect(still.requests?.map(({ id }) => id)).toEqual([second?.id]);
  const opened = await desk.client.runWithAnswer(halted.runId, answerDeclined(second?.id ?? ''));
  expect(opened.requests).toHaveLength(1);
  expect(relayCallsOf(opened.pending).map(({ id }) => id)).toEqual(['r', 'x']);
});

test('R26: an approval can be answered while other calls still run; its tool starts at once', async () => {
  const runId = await start(c('a', 'gated'), c('p', 'approved'));
  const handle = bareRun(desk.client, runId);
  await until('the request is open', async () => (await handle.state()).requests.length === 1);
  await until('the other call runs', () => gates.has(`${runId} a`));
  expect(await handle.state()).toMatchObject({ status: 'running' });
  const [open] = (await handle.state()).requests;
  await handle.update({ id: open?.request.id, ok: true });
  await until('its tool has run', async () => (await handle.state()).requests.length === 0);
  gates.get(`${runId} a`)?.();
  expect(outputs(await desk.client.result(runId))).toEqual(['did a', 'ran']);
});

test('R26: a relay request can be answered while other calls still run; the run does not halt for it', async () => {
  const runId = await start(c('a', 'gated'), c('r', 'stock'));
  const handle = bareRun(desk.client, runId);
  await until('the request is open', async () => (await handle.state()).requests.length === 1);
  const [request] = (await handle.state()).requests;
  await handle.signal(answerOutput(request?.request.id ?? '', '7'));
  expect(await handle.state()).toMatchObject({ status: 'running', requests: [], rejections: [] });
  await open(runId, 'a');
  expect(outputs(await desk.client.result(runId))).toEqual(['did a', '7']);
});

test('R26: a request is listed as soon as it is open and until it is answered, while another call runs', async () => {
  const runId = await start(c('a', 'gated'), c('r', 'stock'));
  const listed = async (): Promise<unknown[]> => {
    const rows = await desk.client.requests({ kind: 'tool_call' });
    return rows.filter((row) => row.runId === runId);
  };
  await until('the request is listed', async () => (await listed()).length === 1);
  const view = await desk.client.get(runId);
  expect(view).toMatchObject({ status: 'running', requests: [{ kind: 'tool_call' }] });
  const memo = (await desk.client.temporal.workflow.getHandle(runId).describe()).memo?.['holdpoint'];
  expect(memo).toMatchObject({ status: 'running', requests: [{ id: view.pending?.id }] });
  await desk.client.answer(runId, answerOutput(view.pending?.id ?? '', '7'));
  const query = `WorkflowId = '${runId}' AND HoldpointWaitingFor IS NOT NULL`;
  await until('it shows no more', async () => (await desk.client.temporal.workflow.count(query)).count === 0);
  await open(runId, 'a');
  expect(outputs(await desk.client.result(runId))).toEqual(['did a', '7']);
});

test('R26: the run becomes pending when its other calls have ended', async () => {
  const runId = await start(c('a', 'gated'), c('r', 'stock'));
  await until('the request is open', async () => (await desk.client.get(runId)).toolCallCount === 2);
  await until('the other call runs', () => gates.has(`${runId} a`));
  await expect(desk.client.get(runId)).resolves.toMatchObject({ status: 'running' });
  await open(runId, 'a');
  await expect(desk.client.waitForHalt(runId)).resolves.toMatchObject({ status: 'pending' });
});

test('R26: open requests may be answered in reverse order; pending is the first in call order', async () => {
  const halted = await run(c('p', 'approved'), c('r', 'stock'), c('q', 'approved'));
  const [p, r, q] = halted.requests ?? [];
  expect(halted.requests?.map(({ kind }) => kind)).toEqual(['approval', 'tool_call', 'approval']);
  expect(halted.pending).toEqual(p);
  await desk.client.runWithAnswer(halted.runId, { id: q?.id ?? '', ok: true });
  const two = await desk.client.runWithAnswer(halted.runId, answerOutput(r?.id ?? '', '7'));
  expect(two).toMatchObject({ status: 'pending', pending: { id: p?.id }, requests: [{ id: p?.id }] });
  const done = await desk.client.runWithAnswer(halted.runId, answerDeclined(p?.id ?? '', 'no'));
  expect(outputs(done)).toEqual([
    'declined/expired: approve approved({"label":"p"})\nreason: no',
    '7',
    'ran',
  ]);
});
