import { CancelledFailure } from '@temporalio/common';
import { messageDigest } from '../../src/activities/digest';
import { TranscriptCache } from '../../src/activities/transcript-cache';
import { toolMessage } from '../../src/agent/message';
import type { ToolContext, ToolResult } from '../../src/agent/tool';
import { defineTool } from '../../src/tools';
import { holdpointFailure } from '../support/matchers';
import { activitiesOf, agent, callToolInput, environment, run } from './fixtures';

type Execute = (args: unknown, ctx: ToolContext) => string | ToolResult | Promise<string | ToolResult>;

const desk = (execute: Execute) =>
  new Map([['desk', agent({ tools: [defineTool({ name: 'look', description: 'Looks.', execute })] })]]);

/** A tool that tells when it began, and how it takes an abort. */
function slowTool(onAbort: (signal: AbortSignal) => string | ToolResult) {
  let begin: (ctx: ToolContext) => void = () => undefined;
  const began = new Promise<ToolContext>((resolve) => (begin = resolve));
  const execute: Execute = (_, ctx) =>
    new Promise((resolve) => {
      ctx.signal.addEventListener('abort', () => resolve(onAbort(ctx.signal)));
      begin(ctx);
    });
  return { agents: desk(execute), began };
}

describe('a tool call', () => {
  it('gives the result with the digest of its message, and keeps the message here', async () => {
    const cache = new TranscriptCache();
    const { callTool } = activitiesOf({ cache, agents: desk(() => 'seen') });
    const outcome = await environment().perform(callTool, callToolInput());
    const message = toolMessage('call-1', 'seen');
    expect(outcome).toEqual({
      is: 'result',
      result: { output: 'seen', isError: false },
      digest: messageDigest(message),
    });
    expect(cache.message(messageDigest(message))).toEqual(message);
  });

  it('R7: tells the tool all about its place, the same on every attempt', async () => {
    const seen: ToolContext[] = [];
    const agents = desk((_, ctx) => {
      seen.push(ctx);
      return 'ok';
    });
    const { callTool } = activitiesOf({ agents });
    const input = callToolInput({
      run: { ...run, conversationId: 'c', turn: 3, context: { value: { vip: true } } },
      answer: { id: 'req', ok: true },
      timeoutMs: 5_000,
    });
    for (const attempt of [1, 2]) await environment({ attempt }).perform(callTool, input);
    const place = {
      callId: 'call-1',
      timeoutMs: 5_000,
      answer: { id: 'req', ok: true },
      idempotencyKey: 'hp_seed_3_0',
      runId: 'run-1',
      conversationId: 'c',
      agent: 'desk',
      turn: 3,
      context: { vip: true },
    };
    expect(seen).toMatchObject([
      { ...place, attempt: 1 },
      { ...place, attempt: 2 },
    ]);
  });

  it('R7: passes progress on with its heartbeats', async () => {
    const agents = desk((_, ctx) => {
      for (const nothing of [NaN, -1, 1n as never]) ctx.reportProgress(nothing);
      ctx.reportProgress(1, 3, 'one of three');
      return 'ok';
    });
    const { perform, heartbeats } = environment();
    await perform(activitiesOf({ agents }).callTool, callToolInput());
    expect(heartbeats).toContainEqual({
      progress: { progress: 1, total: 3, message: 'one of three', at: expect.any(String) as unknown },
    });
  });

  it('R8: heartbeats from before the tool runs to its end, and not after', async () => {
    let release: (text: string) => void = () => undefined;
    const agents = desk(() => new Promise<string>((resolve) => (release = resolve)));
    const { env, perform, heartbeats } = environment();
    const third = new Promise<void>((resolve) =>
      env.on('heartbeat', () => (heartbeats.length === 3 ? resolve() : undefined)),
    );
    const outcome = perform(activitiesOf({ agents }).callTool, callToolInput());
    expect(heartbeats).toHaveLength(1);
    await third;
    release('ok');
    await outcome;
    const clear = jest.spyOn(globalThis, 'clearInterval');
    await perform(activitiesOf({ agents: desk(() => 'ok') }).callTool, callToolInput());
    expect(clear).toHaveBeenCalledTimes(1);
    clear.mockRestore();
  });

  it('R34: a cancelled call aborts the tool, and what it still returns is its result', async () => {
    const { agents, began } = slowTool(() => ({ output: 'stopped half way', isError: true }));
    const { perform, cancel } = environment();
    const outcome = perform(activitiesOf({ agents }).callTool, callToolInput());
    await began;
    cancel();
    expect(await outcome).toMatchObject({ is: 'result', result: { output: 'stopped half way' } });
  });

  it('R33: a tool that its worker interrupts has an unknown outcome: its error is not the result', async () => {
    const { agents, began } = slowTool(() => ({ output: 'aborted', isError: true }));
    const { perform, shutDown } = environment();
    const outcome = perform(activitiesOf({ agents }).callTool, callToolInput());
    await began;
    shutDown();
    await expect(outcome).rejects.toBeInstanceOf(CancelledFailure);
  });

  it('R33: a tool that ends well while its worker shuts down keeps its result', async () => {
    const { agents, began } = slowTool(() => 'done in time');
    const { perform, shutDown } = environment();
    const outcome = perform(activitiesOf({ agents }).callTool, callToolInput());
    await began;
    shutDown();
    expect(await outcome).toMatchObject({ is: 'result', result: { output: 'done in time' } });
  });

  it('R38: a result over 1 MiB becomes an error that names the tool and the size', async () => {
    const agents = desk(() => 'x'.repeat(3_000_000));
    const outcome = await environment().perform(activitiesOf({ agents }).callTool, callToolInput());
    expect(outcome).toMatchObject({ is: 'result', result: { isError: true } });
    expect(JSON.stringify(outcome)).toMatch(/look.*300\d{4}/);
  });

  it("R24: keeps a host's result even where a deployment took the tool away", async () => {
    const result = { output: 'from the host', isError: false };
    const call = { index: 0, id: 'c', name: 'jump', arguments: { text: '{}' } };
    const input = callToolInput({ call, mode: 'after', result });
    const outcome = await environment().perform(activitiesOf({ agents: desk(() => 'ok') }).callTool, input);
    expect(outcome).toMatchObject({ is: 'result', result });
  });

  it.each([
    ['the agent', callToolInput({ run: { ...run, agent: 'shop' } })],
    ['the tool', callToolInput({ call: { index: 0, id: 'c', name: 'jump', arguments: { text: '{}' } } })],
    [
      'the arguments',
      callToolInput({
        call: { index: 0, id: 'c', name: 'look', arguments: { at: 1, digest: 'f', index: 0 } },
      }),
    ],
  ])('R33: was not started where this worker does not have %s, so another may start it', async (_, input) => {
    let ran = false;
    const agents = desk(() => {
      ran = true;
      return 'ok';
    });
    await expect(environment().perform(activitiesOf({ agents }).callTool, input)).rejects.toEqual(
      holdpointFailure('Holdpoint.Tool.NotStarted', /was not started/, { nonRetryable: true }),
    );
    expect(ran).toBe(false);
  });
});
