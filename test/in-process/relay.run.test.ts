/** The scenarios of the reference pages on relay tools, in process. */
import { z } from 'zod';
import {
  answerDeclined,
  answerOutput,
  createToolkit,
  defineTool,
  isRelayRequest,
  openaiModel,
  relayAnswer,
  relayCallsOf,
  relayTool,
  RELAY_OUTPUT_KEY,
  type Request,
} from '../../src';
import { createInProcessClient } from '../../src/in-process';
import { calling, echo, inOrder } from '../support/in-process';
import { withScriptedModel } from '../support/with-scripted-model';

const lookup = relayTool({
  name: 'lookup',
  description: 'look something up',
  inputSchema: z.object({ q: z.string().optional() }),
});
const relays = (...names: string[]) =>
  createToolkit({ tools: names.map((name) => relayTool({ name, description: 'relayed to the caller' })) });

describe('relay tools', () => {
  test('R20, R32: a relay call reaches the host, nothing runs here, and its output is the result', async () => {
    const script = [
      { toolCalls: [{ id: 'c1', name: 'lookup', arguments: '{"q":"weather"}' }] },
      { content: 'it is sunny' },
    ];
    await withScriptedModel(script, async ({ baseURL, requests }) => {
      let got: Request | undefined;
      const client = createInProcessClient({
        model: openaiModel({ baseURL }),
        waitFor: (request) => {
          got = request;
          return { id: request.id, ok: true, data: { [RELAY_OUTPUT_KEY]: 'sunny, 31C' } };
        },
      });
      const result = await client.run('weather?', createToolkit({ tools: [lookup] }));
      expect(result).toMatchObject({ status: 'done', text: 'it is sunny' });
      expect(isRelayRequest(got)).toBe(true);
      expect(got?.prompt).toBe('relay tool call lookup to the caller for execution');
      expect(relayCallsOf(got)).toEqual([
        { id: 'c1', name: 'lookup', input: { q: 'weather' }, arguments: '{"q":"weather"}' },
      ]);
      expect(result.toolCalls).toEqual([
        { id: 'c1', name: 'lookup', args: { q: 'weather' }, output: 'sunny, 31C', isError: false },
      ]);
      expect(requests).toHaveLength(2);
      expect(requests[1]?.body['messages']).toEqual(result.messages.slice(0, 3));
    });
  });

  test('R20, R26: three relay calls of one message ride one request, in call order', async () => {
    const client = createInProcessClient({
      generate: inOrder(calling(['alpha', '{ }'], ['beta'], ['gamma'])),
    });
    const halted = await client.run('go', relays('alpha', 'beta', 'gamma'));
    expect(halted.status).toBe('pending');
    expect(halted.requests).toEqual([halted.pending]);
    expect(halted.pending?.prompt).toBe('relay tool call alpha to the caller for execution');
    expect(relayCallsOf(halted.pending)).toEqual([
      { id: 'c1', name: 'alpha', input: {}, arguments: '{ }' },
      { id: 'c2', name: 'beta', input: {}, arguments: '{}' },
      { id: 'c3', name: 'gamma', input: {}, arguments: '{}' },
    ]);
    expect(halted.turns).toBe(1);
  });

  test('R22, R27: results keyed by call id replace the placeholders, without a new user message', async () => {
    const toolkit = relays('alpha', 'beta', 'gamma');
    const client = createInProcessClient({
      generate: inOrder(calling(['alpha'], ['beta'], ['gamma']), echo),
    });
    const halted = await client.run('do all three', toolkit);
    const results = relayCallsOf(halted.pending).map(({ id, name }) => ({ id, output: `${name}-done` }));
    const done = await client.runWithAnswer(halted, relayAnswer(halted.pending?.id ?? '', results), {
      toolkit,
    });
    expect(done).toMatchObject({
      status: 'done',
      text: 'alpha-done,beta-done,gamma-done',
      toolCallCount: 3,
      turns: 2,
    });
    expect(done.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'tool',
      'assistant',
    ]);
    expect(done).not.toHaveProperty('pending');
    expect(done).not.toHaveProperty('resume');
  });

  test('R15, R25: an ordinary tool runs beside it; a declined relay call is an error result, the run goes on', async () => {
    const ran = jest.fn(() => 'real-output');
    const real = defineTool({ name: 'real_tool', description: 'runs locally', execute: ran });
    const script = [
      { toolCalls: [{ id: 'c1', name: 'real_tool', arguments: '{}' }] },
      { toolCalls: [{ id: 'c2', name: 'relayed_tool', arguments: '{}' }] },
      { content: 'handled the decline' },
    ];
    await withScriptedModel(script, async ({ baseURL }) => {
      const client = createInProcessClient({
        model: openaiModel({ baseURL }),
        waitFor: (request) => answerDeclined(request.id, ''),
      });
      const result = await client.run('do both', [
        real,
        relayTool({ name: 'relayed_tool', description: '' }),
      ]);
      expect(ran).toHaveBeenCalledTimes(1);
      expect(result).toMatchObject({ status: 'done', text: 'handled the decline' });
      expect(result.toolCalls).toEqual([
        { id: 'c1', name: 'real_tool', args: {}, output: 'real-output', isError: false },
        {
          id: 'c2',
          name: 'relayed_tool',
          args: {},
          output: 'declined/expired: relay tool call relayed_tool to the caller for execution',
          isError: true,
        },
      ]);
    });
  });

  test('R15: ordinary calls beside a relay call keep their results across the halt and do not run again', async () => {
    const ran = jest.fn(() => 'local');
    const toolkit = createToolkit({
      tools: [defineTool({ name: 'local', description: '', execute: ran }), lookup],
    });
    const client = createInProcessClient({
      generate: inOrder(calling(['local'], ['lookup'], ['local']), echo),
    });
    const halted = await client.run('go', toolkit);
    expect(halted.messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'local' },
      { role: 'tool', tool_call_id: 'c2', content: halted.pending?.prompt },
      { role: 'tool', tool_call_id: 'c3', content: 'local' },
    ]);
    expect(halted.toolCalls[1]).toMatchObject({
      id: 'c2',
      isError: true,
      output: halted.pending?.prompt,
      metadata: { pending: halted.pending },
    });
    const done = await client.runWithAnswer(halted, answerOutput(halted.pending?.id ?? '', 'far'), {
      toolkit,
    });
    expect(done.text).toBe('local,far,local');
    expect(ran).toHaveBeenCalledTimes(2);
  });

  test('R17: a relay tool that is declared and not called changes nothing but the declarations', async () => {
    const run = async (tools: Parameters<typeof createToolkit>[0]) => {
      const seen: unknown[] = [];
      const client = createInProcessClient({
        generate: ({ messages, tools: declared }) => {
          seen.push({ messages, declared: declared.map(({ name }) => name) });
          return messages.length > 1 ? { content: 'done' } : calling(['local']);
        },
      });
      const result = { ...(await client.run('go', createToolkit(tools))), runId: '' };
      return { result, seen };
    };
    const local = defineTool({ name: 'local', description: '', execute: () => 'x' });
    const without = await run({ tools: [local] });
    const beside = await run({ tools: [local, lookup] });
    expect(beside.result).toEqual(without.result);
    expect(beside.seen).toEqual(
      (without.seen as { declared: string[] }[]).map((one) => ({ ...one, declared: ['local', 'lookup'] })),
    );
  });

  test('R23: results for some of the calls are kept, and the request stays open for the rest', async () => {
    const toolkit = relays('alpha', 'beta');
    const client = createInProcessClient({ generate: inOrder(calling(['alpha'], ['beta']), echo) });
    const halted = await client.run('go', toolkit);
    const id = halted.pending?.id ?? '';
    const half = await client.runWithAnswer(halted, relayAnswer(id, [{ id: 'c2', output: 'B' }]), {
      toolkit,
    });
    expect(half).toMatchObject({ status: 'pending', pending: { id }, turns: 1 });
    expect(half.receipts).toEqual([
      expect.objectContaining({ resolved: false, settled: ['c2'], open: ['c1'] }),
    ]);
    expect(half.messages.at(-1)).toEqual({ role: 'tool', tool_call_id: 'c2', content: 'B' });
    const done = await client.runWithAnswer(half, answerOutput(id, 'A'), { toolkit });
    expect(done).toMatchObject({ status: 'done', text: 'A,B' });
  });

  test('R24: a host’s result that only the worker’s schema refuses becomes an error result', async () => {
    const count = relayTool({
      name: 'count',
      description: '',
      outputSchema: z.number().refine((n) => n % 2 === 0, 'not even'),
    });
    const client = createInProcessClient({ generate: inOrder(calling(['count']), echo) });
    const halted = await client.run('go', [count]);
    const answer = answerOutput(halted.pending?.id ?? '', '3');
    const done = await client.runWithAnswer(halted, answer, { toolkit: [count] });
    expect(done.toolCalls[0]).toMatchObject({ isError: true });
    expect(done.text).toContain('not even');
  });
});
