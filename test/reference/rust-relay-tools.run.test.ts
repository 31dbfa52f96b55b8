/** The examples of the public page on Rust's relay tools, each as a durable run. */
import { HoldpointError } from '../../src/agent/errors';
import {
  answerDeclined,
  answerOutput,
  isRelayRequest,
  relayAnswer,
  relayCallsOf,
} from '../../src/agent/relay';
import type { Request } from '../../src/agent/request';
import type { WaitFor } from '../../src/agent/wait-for';
import { createToolkit, defineAgent, defineTool, relayTool } from '../../src/tools';
import { newId, openDesk, pendingId, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';

const inputSchema = { type: 'object', properties: { q: { type: 'string' } } };
const lookup = relayTool({ name: 'lookup', description: 'look something up', inputSchema });
const relays = ['alpha', 'beta', 'gamma'].map((name) =>
  relayTool({ name, description: 'relayed to the caller' }),
);
const real = defineTool({ name: 'real_tool', description: 'runs locally', execute: () => 'real-output' });
const relayed = relayTool({ name: 'relayed_tool', description: 'runs at the host' });

let hosted: Desk;
let halting: Desk;
let host: WaitFor;

beforeAll(async () => {
  quietRuntime();
  const tools = createToolkit({ tools: [lookup, ...relays, real, relayed] });
  const agent = defineAgent({ name: 'desk', model: 'stub', tools });
  hosted = await openDesk([agent], undefined, { waitFor: (request, ctx) => host(request, ctx) });
  halting = await openDesk([agent]);
});
afterAll(() => Promise.all([hosted.close(), halting.close()]));

const call = (id: string, name: string, args = '{}') => ({ id, name, arguments: args });
const three = { toolCalls: [call('c1', 'alpha'), call('c2', 'beta'), call('c3', 'gamma')] };

/** The results that the model was shown last. */
function shown(desk: Desk): unknown[] {
  const { messages } = desk.model.requests.at(-1)?.body as { messages: { role: string; content: unknown }[] };
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

test("R20, R32: the host's output becomes the result in line", async () => {
  let got: Request | undefined;
  host = (request) => {
    got = request;
    return answerOutput(request.id, 'sunny, 31C');
  };
  const turns = [{ toolCalls: [call('c1', 'lookup', '{"q":"weather"}')] }, { content: 'it is sunny' }];
  const result = await hosted.client.run('desk', hosted.play(turns));
  expect(result).toMatchObject({ status: 'done', text: 'it is sunny' });
  expect(isRelayRequest(got)).toBe(true);
  expect(relayCallsOf(got)).toMatchObject([{ id: 'c1', name: 'lookup', input: { q: 'weather' } }]);
  expect(result.toolCalls).toMatchObject([{ output: 'sunny, 31C', isError: false }]);
  expect(shown(hosted)).toEqual(['sunny, 31C']);
});

test('R20, R27: three relay calls ride one suspension; runWithAnswer resumes it with a result for each', async () => {
  const halted = await halting.client.run('desk', halting.play([three, { content: 'all three' }]));
  expect(halted).toMatchObject({ status: 'pending' });
  const asked = relayCallsOf(halted.pending);
  expect(asked.map(({ name }) => name)).toEqual(['alpha', 'beta', 'gamma']);
  const results = asked.map(({ id, name }) => ({ id, output: `${name}-done` }));
  const done = await halting.client.runWithAnswer(halted.runId, relayAnswer(pendingId(halted), results));
  expect(done).toMatchObject({ status: 'done', text: 'all three' });
  expect(shown(halting)).toEqual(['alpha-done', 'beta-done', 'gamma-done']);
  expect(done.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'tool',
    'tool',
    'assistant',
  ]);
});

test('R39: askWithAnswer resumes the halt of a conversation the same way', async () => {
  const conversationId = newId();
  const halted = await halting.client.ask(
    'desk',
    conversationId,
    halting.play([three, { content: 'all three' }]),
  );
  const results = relayCallsOf(halted.pending).map(({ id, name }) => ({ id, output: `${name}-done` }));
  const done = await halting.client.askWithAnswer(conversationId, relayAnswer(pendingId(halted), results));
  expect(done).toMatchObject({ runId: halted.runId, status: 'done', text: 'all three' });
  expect(shown(halting)).toEqual(['alpha-done', 'beta-done', 'gamma-done']);
});

test('R15, R25: a decline without a reason is an error result, and the run goes on', async () => {
  host = (request) => answerDeclined(request.id, '');
  const turns = [
    { toolCalls: [call('c1', 'real_tool')] },
    { toolCalls: [call('c2', 'relayed_tool')] },
    { content: 'handled the decline' },
  ];
  const result = await hosted.client.run('desk', hosted.play(turns));
  expect(result).toMatchObject({ status: 'done', text: 'handled the decline' });
  expect(result.toolCalls).toMatchObject([
    { output: 'real-output', isError: false },
    { output: 'declined/expired: relay tool call relayed_tool to the caller for execution', isError: true },
  ]);
});

test('R6: a relay tool may not have the name of a builtin, even with builtins off', () => {
  const bash = relayTool({ name: 'bash', description: 'a shell' });
  const make = () => createToolkit({ tools: [bash], builtins: false });
  expect(make).toThrow(HoldpointError);
  expect(make).toThrow(/bash/);
});
