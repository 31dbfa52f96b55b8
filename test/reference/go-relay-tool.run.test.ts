/** The examples of the public page on Go's relay tools, each as a durable run. */
import { answerDeclined, answerOutput, isRelayRequest, relayCallsOf } from '../../src/agent/relay';
import type { Request } from '../../src/agent/request';
import type { WaitFor } from '../../src/agent/wait-for';
import { defineAgent, defineTool, relayTool } from '../../src/tools';
import { openDesk, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';

const inputSchema = { type: 'object', properties: { q: { type: 'string' } } };
const lookup = relayTool({ name: 'lookup', description: 'look something up', inputSchema });
const relays = ['alpha', 'beta', 'gamma'].map((name) =>
  relayTool({ name, description: 'relayed to the caller' }),
);

let realRan = 0;
const real = defineTool({
  name: 'real_tool',
  description: 'runs locally',
  execute: () => {
    realRan += 1;
    return 'real-output';
  },
});
const relayed = relayTool({ name: 'relayed_tool', description: 'runs at the host' });

let hosted: Desk;
let halting: Desk;
let host: WaitFor;

beforeAll(async () => {
  quietRuntime();
  const agent = defineAgent({ name: 'desk', model: 'stub', tools: [lookup, ...relays, real, relayed] });
  hosted = await openDesk([agent], undefined, { waitFor: (request, ctx) => host(request, ctx) });
  halting = await openDesk([agent]);
});
afterAll(() => Promise.all([hosted.close(), halting.close()]));

const call = (id: string, name: string, args = '{}') => ({ id, name, arguments: args });

test('R20, R32: the smallest useful call: the relay call reaches the host, and nothing runs locally', async () => {
  let got: Request | undefined;
  host = (request) => {
    got = request;
    return answerOutput(request.id, 'sunny, 31C');
  };
  const turns = [{ toolCalls: [call('c1', 'lookup', '{"q":"weather"}')] }, { content: 'it is sunny' }];
  const result = await hosted.client.run('desk', hosted.play(turns));
  expect(result).toMatchObject({ status: 'done', text: 'it is sunny' });
  expect(isRelayRequest(got)).toBe(true);
  expect(relayCallsOf(got)).toEqual([
    { id: 'c1', name: 'lookup', input: { q: 'weather' }, arguments: '{"q":"weather"}' },
  ]);
  expect(result.toolCalls).toMatchObject([{ output: 'sunny, 31C', isError: false }]);
});

test('R20: three relay calls of one turn ride a single suspension, in call order', async () => {
  const toolCalls = [call('c1', 'alpha'), call('c2', 'beta'), call('c3', 'gamma')];
  const result = await halting.client.run('desk', halting.play([{ toolCalls }]));
  expect(result).toMatchObject({ status: 'pending' });
  expect(result.requests).toHaveLength(1);
  expect(relayCallsOf(result.pending).map(({ name }) => name)).toEqual(['alpha', 'beta', 'gamma']);
});

test('R15, R25: a real tool runs beside a relay tool, and a declined relay call does not end the run', async () => {
  host = (request) => answerDeclined(request.id);
  const turns = [
    { toolCalls: [call('c1', 'real_tool')] },
    { toolCalls: [call('c2', 'relayed_tool')] },
    { content: 'handled the decline' },
  ];
  const result = await hosted.client.run('desk', hosted.play(turns));
  expect(realRan).toBe(1);
  expect(result).toMatchObject({ status: 'done', text: 'handled the decline' });
  expect(result.toolCalls).toMatchObject([
    { output: 'real-output', isError: false },
    { output: 'declined/expired: relay tool call relayed_tool to the caller for execution', isError: true },
  ]);
});

test('R17: without relay tools declared, or with some that are not called, nothing else differs', async () => {
  const turns = () => [{ toolCalls: [call('c1', 'real_tool')] }, { content: 'done' }];
  const [plain, declared] = [
    await openDesk([defineAgent({ name: 'desk', model: 'stub', tools: [real] })]),
    halting,
  ];
  try {
    const results = [];
    for (const desk of [plain, declared]) {
      const { runId, ...result } = await desk.client.run('desk', desk.play(turns(), 'the same text'));
      results.push(result);
      const { tools, ...body } = desk.model.requests.at(-1)?.body ?? {};
      results.push(body);
      expect(Array.isArray(tools) && tools.length).toBe(desk === plain ? 1 : 6);
      expect(runId).toMatch(/^desk-/);
    }
    expect(results.slice(2)).toEqual(results.slice(0, 2));
  } finally {
    await plain.close();
  }
});
