import { defineAgent, defineTool, relayTool } from '../../src/tools';
import type { Tool } from '../../src/agent/tool';
import type { RunResult } from '../../src/agent/result';
import { openDesk, pendingId, relayed, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';

const tool = (name: string, execute: () => unknown, more: object = {}): Tool =>
  defineTool({ name, description: name, execute, ...more });

const picky = relayTool({
  name: 'picky',
  description: 'Takes a sku',
  inputSchema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
});

let desk: Desk;

beforeAll(async () => {
  quietRuntime();
  const thrown = (value: unknown) => () => {
    throw value;
  };
  const tools = [
    relayed,
    picky,
    tool('text', () => 'plain'),
    tool('value', () => ({ units: 3, none: null })),
    tool('nothing', () => undefined),
    tool('zero', () => 0),
    tool('result', () => ({ output: 'own', isError: true, metadata: { tries: 2 } })),
    tool('throws_error', thrown(new Error('no stock'))),
    tool('throws_text', thrown('no stock')),
    tool('throws_object', thrown({ code: 7 })),
    tool('throws_nothing', thrown(undefined)),
    tool('huge', () => 'x'.repeat(3 * 1024 * 1024)),
    tool('large', () => 'x'.repeat(900 * 1024)),
    tool('never_ends', () => new Promise(() => undefined), { timeoutMs: 500 }),
  ];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })]);
});
afterAll(() => desk.close());

function call(name: string, args = '{}'): Promise<RunResult> {
  const toolCalls = [
    { id: 'c', name, arguments: args },
    { id: 'beside', name: 'text', arguments: '{}' },
  ];
  return desk.client.run('desk', desk.play([{ toolCalls }, { content: 'Done.' }]));
}

const beside = { id: 'beside', output: 'plain', isError: false };

test.each([
  ['a text', 'text', 'plain', false],
  ['a value, as JSON', 'value', '{"units":3,"none":null}', false],
  ['undefined', 'nothing', '', false],
  ['0', 'zero', '0', false],
  ['a result of its own', 'result', 'own', true],
  ['a thrown error', 'throws_error', 'no stock', true],
  ['a thrown text', 'throws_text', 'no stock', true],
  ['a thrown object', 'throws_object', '{"code":7}', true],
  ['a thrown undefined', 'throws_nothing', 'undefined was thrown.', true],
])(
  'R2: %s reaches the model as text, the call beside it is untouched, and the run goes on',
  async (_title, name, output, isError) => {
    const done = await call(name);
    expect(done).toMatchObject({ status: 'done', text: 'Done.' });
    expect(done.toolCalls).toMatchObject([{ output, isError }, beside]);
  },
);

test('R9: a call that never ends is over at its budget and a second', async () => {
  const done = await call('never_ends');
  expect(done.toolCalls).toMatchObject([{ output: 'timed out after 500ms', isError: true }, beside]);
});

test('R38: a result of 3 MB becomes an error result that names the tool and the size, once', async () => {
  const done = await call('huge');
  expect(done).toMatchObject({ status: 'done' });
  const [huge] = done.toolCalls;
  expect(huge).toMatchObject({ isError: true });
  expect(huge?.output).toMatch(/huge.*3145\d+ bytes|huge.*314\d{4}/);
  const { events } = await desk.client.temporal.workflow.getHandle(done.runId).fetchHistory();
  const attempts = (events ?? []).flatMap((event) => event.activityTaskStartedEventAttributes?.attempt ?? []);
  expect(Math.max(...attempts.map(Number))).toBe(1);
});

test('R38: a result of 900 kB is kept whole', async () => {
  const done = await call('large');
  expect(done.toolCalls[0]?.output).toHaveLength(900 * 1024);
});

test.each([
  ['malformed JSON', '{"sku":', /JSON/],
  ['JSON that is no object', '["a"]', /object/],
  ['arguments against the schema', '{"sku":7}', /sku/],
])('R5: %s: the call is not relayed, the model is told, the run goes on', async (_title, args, message) => {
  const done = await call('picky', args);
  expect(done).toMatchObject({ status: 'done', toolCalls: [{ isError: true }, beside] });
  expect(done.toolCalls[0]?.output).toMatch(message);
  expect(done.messages[1]).toMatchObject({ tool_calls: [{ function: { arguments: args } }, {}] });
});

test('R5: a tool that does not exist gives its error, and the call beside it runs', async () => {
  const done = await call('parallel');
  expect(done.toolCalls).toMatchObject([{ output: 'Unknown tool: parallel', isError: true }, beside]);
});

test('R18: the raw arguments reach the host byte by byte', async () => {
  const raw = '{ "sku" : "a\\u00e9",\n  "sku":"b" , "n": 1.0 }';
  const toolCalls = [{ id: 'c', name: 'picky', arguments: raw }];
  const halted = await desk.client.run('desk', desk.play([{ toolCalls }]));
  expect(pendingId(halted)).toMatch(/^req_/);
  expect(halted.pending?.data).toEqual({
    calls: [{ id: 'c', name: 'picky', input: { sku: 'b', n: 1 }, arguments: raw }],
  });
});
