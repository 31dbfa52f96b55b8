import { z } from 'zod';
import { isRecord, type Json, type JsonObject } from '../../src/agent/json';
import type { Tool, ToolContext } from '../../src/agent/tool';
import { handleCall } from '../../src/mcp/bound-tool';
import { define } from '../../src/mcp/definition';
import { complete, requestInput } from '../../src/mcp/reply';
import { ok } from '../../src/mcp/result';
import { agentTools } from '../../src/mcp/run/agent-tools';
import { mcpTools } from '../../src/mcp/run/mcp-tools';
import { defineAgent } from '../../src/tools';
import { openDesk, type Desk } from '../client/desk';
import { form } from './asking-tool';
import { in2026, rawServer } from './raw-server';

/** Keys that every object seems to have. */
const KEYS = ['__proto__', 'constructor', 'toString', 'seat'];
const forms = Object.fromEntries(KEYS.map((key) => [key, form]));
const roots = { method: 'roots', params: {} } as const;

let desk: Desk;
afterEach(() => desk?.close());

/** Runs a tool to its end, a person saying at each question which it was, and gives what the tool was told. */
async function toldTo(tools: readonly Tool[]): Promise<unknown> {
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })]);
  const turn = { toolCalls: [{ id: 'c', name: tools[0]?.name ?? '', arguments: {} }] };
  let result = await desk.client.run('desk', desk.play([turn, { content: 'Done.' }]));
  for (let n = 1; result.pending; n += 1) {
    const answer = { id: result.pending.id, ok: true, data: { content: { seat: `${n}` } } } as const;
    result = await desk.client.runWithAnswer(result.runId, answer);
  }
  return JSON.parse(result.toolCalls[0]?.output ?? '') as unknown;
}

const accepted = (n: number): JsonObject => ({ action: 'accept', content: { seat: `${n}` } });
const inOrder = KEYS.map((key, n) => [key, accepted(n + 1)]);

afterEach(() => {
  const plain: Record<string, unknown> = {};
  expect([plain['action'], plain['roots'], plain['method']]).toEqual([undefined, undefined, undefined]);
});

test('a typed tool may ask by any key, and is told by it what was said', async () => {
  const first: unknown[] = [];
  const book = handleCall<object, Json, ToolContext>(
    define('book', z.object({}), z.json()),
    ({ inputResponses }) => {
      if (KEYS.every((key) => inputResponses[key] !== undefined))
        return ok(complete(KEYS.map((key) => [key, inputResponses[key] ?? null])));
      first.push(KEYS.map((key) => key in inputResponses || inputResponses[key]));
      return ok(requestInput(forms));
    },
  );
  expect(await toldTo(agentTools(book))).toEqual(inOrder);
  expect(first).toEqual([KEYS.map(() => undefined)]);
});

test('what no person has to answer may be asked by any key', async () => {
  const look = handleCall<object, Json, ToolContext>(
    define('look', z.object({}), z.json()),
    ({ inputResponses }) =>
      Object.keys(inputResponses).length > 0
        ? ok(complete(Object.entries(inputResponses)))
        : ok(requestInput(Object.fromEntries(KEYS.map((key) => [key, roots])))),
  );
  const [tool] = agentTools({ tool: look, roots: [{ uri: 'file:///srv' }] });
  const told = { roots: [{ uri: 'file:///srv' }] };
  expect(await toldTo(tool ? [tool] : [])).toEqual(KEYS.map((key) => [key, told]));
});

test('a remote tool may ask by any key, and is sent by it what was said', async () => {
  const transport = rawServer(
    in2026(({ method, params }) => {
      if (method !== 'tools/call') return undefined;
      const { inputResponses } = params;
      if (!isRecord(inputResponses)) {
        const inputRequests = KEYS.map((key) => [key, { ...form, method: 'elicitation/create' }]);
        return {
          resultType: 'input_required',
          inputRequests: Object.fromEntries(inputRequests) as JsonObject,
        };
      }
      const text = JSON.stringify(Object.entries(inputResponses));
      return { resultType: 'complete', content: [{ type: 'text', text }] };
    }),
  );
  const toolset = await mcpTools({ name: 'raw', transport });
  expect(await toldTo(toolset.tools)).toEqual(inOrder);
  await toolset.close();
});
