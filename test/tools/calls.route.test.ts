import { z } from 'zod';
import type { Hooks } from '../../src/agent/hooks';
import type { AssistantMessage } from '../../src/agent/message';
import type { Tool } from '../../src/agent/tool';
import { defineTool, pending, relayTool } from '../../src/tools';
import { routeCalls } from '../../src/tools/route-calls';
import { matching, objectWith } from '../support/matchers';

const NOW = Date.UTC(2026, 2, 1, 12);
const ctx = { runId: 'run-1', agent: 'desk', turn: 2, context: { tenant: 't' }, now: NOW };
const orders = z.object({ order: z.coerce.number(), note: z.string().default('none') });
const refund = (options: object = {}): Tool =>
  defineTool({
    name: 'refund',
    description: 'Pays back',
    inputSchema: orders,
    execute: () => 'paid',
    ...options,
  });

const said = (...calls: [name: string, args: string][]): AssistantMessage => ({
  role: 'assistant',
  content: 'I will refund it.',
  tool_calls: calls.map(([name, args], at) => ({
    id: `c${at}`,
    type: 'function',
    function: { name, arguments: args },
  })),
});
const route = async (tools: Tool[], args = '{"order":"1047"}', hooks?: Hooks) => {
  const name = tools[0]?.name ?? '';
  const [first] = await routeCalls({ message: said([name, args]), tools, hooks, ctx });
  return first;
};
const holdsOf = (found: Awaited<ReturnType<typeof route>>) =>
  found && 'holds' in found ? found.holds : undefined;

describe('routing', () => {
  test('R5: an unknown tool, malformed JSON and wrong arguments are errors for the model, siblings go on', async () => {
    const routes = await routeCalls({
      message: said(
        ['parallel', '{}'],
        ['refund', '{"order":'],
        ['refund', '[1]'],
        ['refund', 'null'],
        ['refund', '{"order":"x"}'],
        ['stock', '{"sku":1}'],
        ['refund', '{"order":1}'],
      ),
      tools: [
        refund(),
        relayTool({ name: 'stock', description: '', inputSchema: z.object({ sku: z.string() }) }),
      ],
      ctx,
    });
    const text = (pattern: RegExp) => ({ to: 'error', text: matching(pattern) });
    expect(routes).toEqual([
      text(/^Unknown tool: parallel$/),
      text(/^Invalid arguments for refund: they are not valid JSON$/),
      text(/^Invalid arguments for refund: expected a JSON object, got an array$/),
      text(/got null$/),
      text(/^Invalid arguments for refund: `order`: /),
      text(/^Invalid arguments for stock: `sku`: /),
      { to: 'tool', timeoutMs: 0 },
    ]);
  });

  test('R5: no argument text at all counts as no arguments', async () => {
    const ping = defineTool({ name: 'ping', description: '', execute: () => '' });
    expect(await route([ping], '')).toEqual({ to: 'tool', timeoutMs: 0 });
    expect(await route([ping], ' ')).toEqual({ to: 'tool', timeoutMs: 0 });
  });

  test('R1: a tool route carries what the run needs to schedule it', async () => {
    const tool = refund({
      timeoutMs: 900,
      exclusive: true,
      taskQueue: 'gpu',
      onUnknownOutcome: 'ask',
      hints: { idempotent: true, destructive: true },
    });
    expect(await route([tool])).toEqual({
      to: 'tool',
      timeoutMs: 900,
      exclusive: true,
      taskQueue: 'gpu',
      onUnknownOutcome: 'ask',
      repeatable: true,
      destructive: true,
    });
    expect(await route([refund({ hints: { readOnly: true } })])).toMatchObject({ repeatable: true });
  });

  test('R20, R24: a relay route carries expiry and output schema, and `after` where the worker must look again', async () => {
    const relay = (outputSchema: object) =>
      relayTool({
        name: 'stock',
        description: '',
        outputSchema: outputSchema as z.ZodType,
        expiresIn: '1 hour',
      });
    const json = { type: 'object' };
    expect(await route([relay(json)], '{}')).toEqual({
      to: 'relay',
      expiresInMs: 3_600_000,
      outputSchema: json,
    });
    expect(await route([relay(z.object({}))], '{}')).toMatchObject({ to: 'relay', after: true });
    expect(await route([relay(json)], '{}', { afterTool: () => undefined })).toMatchObject({ after: true });
  });

  test('R42: approval asks with the exact arguments, their digest and the agent’s words; the schema travels', async () => {
    const tool = refund({ needsApproval: true, expiresIn: '30 minutes', hints: { destructive: true } });
    const found = await route([tool], '{"order":"1047"}');
    expect(found).toMatchObject({ to: 'tool', inputSchema: tool.inputSchema, destructive: true });
    expect(holdsOf(found)).toEqual([
      {
        kind: 'approval',
        prompt: 'approve refund({"order":"1047"})',
        data: {
          tool: 'refund',
          description: 'Pays back',
          hints: { destructive: true },
          input: { order: '1047' },
          arguments: '{"order":"1047"}',
          // printf '{"order":"1047"}' | sha256sum
          digest: 'a81c48e612a03d50d4026cb5e60610c3426e91c72359d8f615e0619031b2d683',
          text: 'I will refund it.',
          callId: 'c0',
        },
        expiresAt: '2026-03-01T12:30:00.000Z',
      },
    ]);
  });

  test('R42: what a schema makes of arguments is not in the route, only what the model sent', async () => {
    const found = await route([refund({ needsApproval: true })], '{"order":"1047"}');
    expect(JSON.stringify(holdsOf(found)?.[0]?.data)).not.toContain('none');
    expect(found).not.toHaveProperty('input');
  });

  test('R42: a long argument is cut in the prompt, whole in the data', async () => {
    const note = '😀'.repeat(300);
    const [hold] =
      holdsOf(await route([refund({ needsApproval: true })], JSON.stringify({ order: 1, note }))) ?? [];
    expect(hold?.prompt).toMatch(/^approve refund\(\{"order":1,"note":"😀+…\)$/u);
    expect(hold?.prompt.length).toBeLessThan(400);
    expect(hold?.data?.['input']).toEqual({ order: 1, note });
  });

  test.each<[string, () => unknown, boolean]>([
    ['false', () => false, false],
    ['a promise of false', async () => false, false],
    ['true', () => true, true],
    ['nothing', () => undefined, true],
    ['0', () => 0, true],
    ['the text "false"', () => 'false', true],
    [
      'a throw',
      () => {
        throw new Error('down');
      },
      true,
    ],
    ['a rejection', () => Promise.reject(new Error('down')), true],
  ])('R42: a predicate that gives %s asks: %#', async (_, needsApproval, asks) => {
    const found = await route([refund({ needsApproval })]);
    expect(holdsOf(found)?.length ?? 0).toBe(asks ? 1 : 0);
    if (asks) expect(found).toHaveProperty('inputSchema');
    else expect(found).not.toHaveProperty('inputSchema');
  });

  test('R42: a predicate sees the checked arguments and where it is asked', async () => {
    const needsApproval = jest.fn(() => false);
    await route([refund({ needsApproval })]);
    expect(needsApproval.mock.calls).toEqual([
      [
        { order: 1047, note: 'none' },
        { runId: 'run-1', agent: 'desk', turn: 2, context: { tenant: 't' }, callId: 'c0' },
      ],
    ]);
  });

  test('R42: a relay tool can need approval too', async () => {
    const stock = relayTool({ name: 'stock', description: '', needsApproval: true });
    expect(await route([stock], '{}')).toMatchObject({ to: 'relay', holds: [{ kind: 'approval' }] });
  });
});

describe('beforeTool', () => {
  test('R42: it sees the call’s input and place, and may let it go on', async () => {
    for (const decision of [undefined, {}]) {
      const beforeTool = jest.fn(() => decision);
      expect(await route([refund()], undefined, { beforeTool })).toEqual({ to: 'tool', timeoutMs: 0 });
      expect(beforeTool.mock.calls).toEqual([
        [
          { order: '1047' },
          { runId: 'run-1', agent: 'desk', turn: 2, context: { tenant: 't' }, callId: 'c0', tool: 'refund' },
        ],
      ]);
    }
  });

  test('R42: replaced arguments are checked again, and are what approval is asked about', async () => {
    const hooks: Hooks = { beforeTool: () => ({ input: { order: 5 } }) };
    const found = await route([refund({ needsApproval: true })], undefined, hooks);
    expect(found).toMatchObject({ input: { order: 5 } });
    expect(holdsOf(found)?.[0]).toMatchObject({
      prompt: 'approve refund({"order":5})',
      data: { input: { order: 5 }, arguments: '{"order":"1047"}' },
    });
    expect(await route([refund()], undefined, { beforeTool: () => ({ input: { order: 'x' } }) })).toEqual({
      to: 'error',
      text: matching(/beforeTool replaced the arguments.*`order`/),
    });
  });

  test('R42: it may give the result, which afterTool sees', async () => {
    const hooks: Hooks = {
      beforeTool: () => ({ result: { output: 'cached', isError: false } }),
      afterTool: (result) => ({ ...result, output: `${result.output}!` }),
    };
    expect(await route([refund()], undefined, hooks)).toEqual({
      to: 'result',
      result: { output: 'cached!', isError: false },
    });
  });

  test('R42: it may suspend; approval comes after', async () => {
    const suspend = { id: 'own-1', kind: 'question', prompt: 'Who pays?' };
    const found = await route([refund({ needsApproval: true })], undefined, {
      beforeTool: () => ({ suspend }),
    });
    expect(holdsOf(found)).toEqual([suspend, objectWith({ kind: 'approval' })]);
    const alone = await route([refund()], undefined, { beforeTool: () => ({ suspend }) });
    expect(alone).toEqual({ to: 'tool', timeoutMs: 0, holds: [suspend] });
    const asResult = await route([refund()], undefined, { beforeTool: () => ({ result: pending(suspend) }) });
    expect(asResult).toEqual(alone);
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('policy down');
      },
      /beforeTool failed: policy down/,
    ],
    ['rejects', () => Promise.reject(new Error('policy down')), /policy down/],
    ['gives an input that is no object', () => ({ input: [1] }), /`input` is no object/],
    ['gives a result that is none', () => ({ result: 'x' }), /`result` is no/],
    ['suspends with no request', () => ({ suspend: { prompt: 'p' } }), /`suspend` is no request.*`kind`/],
    ['gives a text', () => 'no', /decided nothing that can be read/],
    [
      'gives an endless input',
      () => ({ input: { order: 1, euros: 1, note: 'x'.repeat(300_000) } }),
      /by more than 262144 bytes/,
    ],
  ])('R42: a hook that %s makes an error result, and the tool does not run', async (_, beforeTool, text) => {
    const hooks = { beforeTool } as Hooks;
    expect(await route([refund()], undefined, hooks)).toEqual({
      to: 'error',
      text: matching(text),
    });
  });

  test('R5: arguments too deep to digest are an error of that call alone', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const open = defineTool({ name: 'open', description: '', needsApproval: true, execute: () => '' });
    expect(await route([open], deep)).toEqual({ to: 'error', text: matching(/open/) });
  });
});
