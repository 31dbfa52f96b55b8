import { z } from 'zod';
import { isRecord, type Json, type JsonObject } from '../../src/agent/json';
import type { Model, ModelRequest } from '../../src/agent/model';
import type { RunResult } from '../../src/agent/result';
import type { Tool, ToolContext } from '../../src/agent/tool';
import { handle, handleCall } from '../../src/mcp/bound-tool';
import { define } from '../../src/mcp/definition';
import { complete, requestInput } from '../../src/mcp/reply';
import { ok } from '../../src/mcp/result';
import { agentTools } from '../../src/mcp/run/agent-tools';
import type { Answerers } from '../../src/mcp/run/answerers';
import { mcpTools, type McpToolset } from '../../src/mcp/run/mcp-tools';
import { sampleWith } from '../../src/mcp/run/sample-with';
import { withRequiredClientCapabilities } from '../../src/mcp/setters';
import { defineAgent } from '../../src/tools';
import { openDesk, type Desk } from '../client/desk';
import { in2026, rawServer } from './raw-server';

const params = { messages: [{ role: 'user', content: { type: 'text', text: 'ping?' } }], maxTokens: 5 };

let desk: Desk | undefined;
let toolset: McpToolset | undefined;
afterEach(async () => {
  await desk?.close();
  await toolset?.close();
  [desk, toolset] = [undefined, undefined];
});

/** What a server tells that it was sent: the capabilities of the client, and the responses to its questions. */
let offered: unknown;

/** A tool that asks for a model and for folders, of the run's own worker or of another server. */
async function askingTools(where: 'typed' | 'remote', answerers: Answerers): Promise<readonly Tool[]> {
  if (where === 'typed') {
    const act = handleCall<object, Json, ToolContext>(
      define('act', z.object({}), z.json()),
      ({ inputResponses }) =>
        'text' in inputResponses
          ? ok(complete(inputResponses))
          : ok(
              requestInput({ text: { method: 'sampling', params }, where: { method: 'roots', params: {} } }),
            ),
    );
    return agentTools({ tool: act, ...answerers });
  }
  const transport = rawServer(
    in2026(({ method, params: sent }) => {
      if (method !== 'tools/call') return undefined;
      const { inputResponses, _meta: meta } = sent;
      offered = isRecord(meta) ? meta['io.modelcontextprotocol/clientCapabilities'] : undefined;
      if (isRecord(inputResponses))
        return {
          resultType: 'complete',
          content: [{ type: 'text', text: JSON.stringify(inputResponses) }],
        };
      return {
        resultType: 'input_required',
        inputRequests: {
          text: { method: 'sampling/createMessage', params },
          where: { method: 'roots/list' },
        },
      };
    }),
  );
  toolset = await mcpTools({ name: 'raw', transport, ...answerers });
  return toolset.tools;
}

async function runOf(tools: readonly Tool[]): Promise<RunResult> {
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })]);
  const turn = { toolCalls: [{ id: 'c', name: tools[0]?.name ?? '', arguments: {} }] };
  return desk.client.run('desk', desk.play([turn, { content: 'Done.' }]), { context: { customer: 7 } });
}

const said = { role: 'assistant', content: { type: 'text', text: 'pong' }, model: 'm' };
const roots = [{ uri: 'file:///srv/data', name: 'data' }];

describe.each(['typed', 'remote'] as const)('a %s tool', (where) => {
  const server = where === 'remote' && { server: 'raw' };

  test('is answered by the model and the folders that it is given, without anybody', async () => {
    const asked: unknown[] = [];
    const sampling: NonNullable<Answerers['sampling']> = async (given, about) => {
      asked.push([given, about]);
      return said;
    };
    const result = await runOf(await askingTools(where, { sampling, roots }));
    expect(result).toMatchObject({ status: 'done', toolCalls: [{ isError: false }] });
    const told = JSON.parse(result.toolCalls[0]?.output ?? '') as unknown;
    expect(told).toEqual({ text: said, where: { roots } });
    const about = { tool: 'act', runId: result.runId, context: { customer: 7 }, ...server };
    expect(asked).toEqual([[params, { ...about, signal: expect.any(AbortSignal) as unknown }]]);
    if (where === 'remote') expect(offered).toMatchObject({ sampling: {}, roots: {} });
  });

  test('is offered neither where neither is given, and its call says so', async () => {
    const result = await runOf(await askingTools(where, {}));
    expect(result.toolCalls[0]).toMatchObject({
      isError: true,
      output: 'act needs sampling, roots, which this run does not offer.',
    });
    if (where === 'remote') expect(offered).toEqual({ elicitation: { form: {}, url: {} } });
  });

  test('is told of folders alone where only they are given', async () => {
    const result = await runOf(await askingTools(where, { roots }));
    // It goes on asking for a model, which it gets in no round.
    const told = JSON.stringify({ where: { roots } });
    const output = where === 'typed' ? 'act asked for input more than 10 times.' : told;
    expect(result.toolCalls[0]).toMatchObject({ isError: where === 'typed', output });
  });

  test('is refused a model by a function that rejects, and the run goes on', async () => {
    const sampling = () => Promise.reject(new Error('No more tokens today.'));
    const result = await runOf(await askingTools(where, { sampling, roots }));
    expect(result).toMatchObject({
      status: 'done',
      toolCalls: [{ isError: true, output: 'No more tokens today.' }],
    });
  });
});

test('a typed tool that requires what its run does not offer is refused before its handler runs', async () => {
  let ran = 0;
  const strict = withRequiredClientCapabilities(define('act', z.object({}), z.null()), ['roots', 'sampling']);
  const tool = handle(strict, () => {
    ran += 1;
    return ok(null);
  });
  const called = async (answerers: Answerers) => agentTools({ tool, ...answerers })[0]?.call?.({});
  const output = 'act needs sampling, which this run does not offer.';
  expect(await called({ roots })).toEqual({ output, isError: true });
  expect(ran).toBe(0);
  expect(await called({ roots, sampling: async () => said })).toMatchObject({ isError: false });
});

/** A model that says `pong`, and what it was asked. */
function ponging(): { readonly model: Model; readonly asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const model: Model = {
    generate: async (request) => {
      asked.push(request);
      return { text: 'pong', toolCalls: [], finishReason: 'length', usage, model: 'm-1' };
    },
  };
  return { model, asked };
}

const about = { signal: new AbortController().signal };
const oneText = { type: 'text', text: 'a' };

test('`sampleWith` asks a model once, with no more tokens than it may have and no tools', async () => {
  const { model, asked } = ponging();
  const sample = sampleWith(model, { model: 'gpt-5-mini', maxTokens: 50 });
  const messages = [
    { role: 'user', content: [oneText, { type: 'text', text: 'b' }] },
    { role: 'assistant', content: oneText },
  ];
  const more = { systemPrompt: 'Be short.', maxTokens: 10_000, temperature: 0, modelPreferences: {} };
  expect(await sample({ messages, ...more }, about)).toEqual({
    role: 'assistant',
    content: { type: 'text', text: 'pong' },
    model: 'm-1',
    stopReason: 'maxTokens',
  });
  expect(asked).toEqual([
    {
      model: 'gpt-5-mini',
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'a\nb' },
        { role: 'assistant', content: 'a' },
      ],
      tools: [],
      maxTokens: 50,
      temperature: 0,
      signal: about.signal,
    },
  ]);
});

test.each<[string, JsonObject]>([
  ['nothing', { messages: [] }],
  ['without messages', {}],
  [
    'about a picture',
    { messages: [{ role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } }] },
  ],
  ['with tools', { ...params, tools: [{ name: 'x', inputSchema: { type: 'object' } }] }],
])('`sampleWith` refuses a tool that asks %s, and asks no model', async (_what, given) => {
  const { model, asked } = ponging();
  await expect(sampleWith(model, { model: 'm' })(given, about)).rejects.toThrow(/^The tool /);
  expect(asked).toEqual([]);
});
