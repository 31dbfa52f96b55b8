import { z } from 'zod';
import { handleCall, type BoundTool } from '../../src/mcp/bound-tool';
import type { Call } from '../../src/mcp/call';
import { callTool } from '../../src/mcp/client/call-tool';
import { connectMcp, type McpConnection } from '../../src/mcp/client/connection';
import { define, defineContent } from '../../src/mcp/definition';
import { complete, requestInput } from '../../src/mcp/reply';
import { ok } from '../../src/mcp/result';
import { createMcpServer } from '../../src/mcp/server/create-mcp-server';
import { form } from './asking-tool';
import { connectTo } from './linked';
import { in2026, rawServer, type Handle } from './raw-server';

const act = define('act', z.object({ job: z.string() }), z.object({ done: z.string() }));
const input = { job: 'a' };

const connections: McpConnection[] = [];
afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.close();
});

async function connect(tool: BoundTool, capabilities = {}): Promise<McpConnection> {
  const serving = createMcpServer({ name: 'test', version: '1', tools: [tool] });
  const connection = await connectTo(serving, { capabilities });
  connections.push(connection);
  return connection;
}

async function connectRaw(handle: Handle): Promise<McpConnection> {
  const connection = await connectMcp({ transport: rawServer(in2026(handle)) });
  connections.push(connection);
  return connection;
}

test('a call that was aborted before is not sent', async () => {
  let calls = 0;
  const connection = await connect(
    handleCall(act, () => {
      calls += 1;
      return ok(complete({ done: '' }));
    }),
  );
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(callTool(connection, act, input, { signal })).rejects.toThrow('enough');
  expect(calls).toBe(0);
});

test('a call that is aborted ends at once, though its server does not', async () => {
  const stop = new AbortController();
  const cancelled: unknown[] = [];
  const connection = await connectMcp({
    transport: rawServer(
      in2026(({ method }) => {
        if (method !== 'tools/call') return undefined;
        stop.abort(new Error('enough'));
        return 'handled';
      }),
      ({ method }) => cancelled.push(method),
    ),
  });
  connections.push(connection);
  const calling = callTool(connection, act, input, { signal: stop.signal });
  await expect(calling).rejects.toThrow('enough');
  expect(cancelled).toEqual(['notifications/cancelled']);
});

test('a server that is silent for `timeoutMs` is waited for no longer', async () => {
  const connection = await connectRaw(({ method }) => (method === 'tools/call' ? 'handled' : undefined));
  await expect(callTool(connection, act, input, { timeoutMs: 20 })).rejects.toMatchObject({
    code: 'REQUEST_TIMEOUT',
  });
});

test('progress is a sign of life: the time begins anew with each', async () => {
  const told: number[] = [];
  const connection = await connectRaw(({ id, method, params }, { send }) => {
    if (method !== 'tools/call') return undefined;
    const { progressToken } = params['_meta'] as { progressToken?: number };
    let progress = 0;
    // Longer in all than the call may be silent.
    const timer = setInterval(() => {
      progress += 1;
      if (progress < 6)
        return void send({ method: 'notifications/progress', params: { progressToken, progress } });
      clearInterval(timer);
      send({
        id,
        result: { resultType: 'complete', content: [], structuredContent: { done: 'yes' } },
      });
    }, 400);
    return 'handled';
  });
  const onProgress = ({ progress }: { progress: number }) => told.push(progress);
  const outcome = await callTool(connection, act, input, { timeoutMs: 1_500, onProgress });
  expect(outcome).toMatchObject({ kind: 'complete', output: { done: 'yes' } });
  expect(told).toEqual([1, 2, 3, 4, 5]);
});

test('key and correlation go with each round of a call', async () => {
  const calls: Call[] = [];
  const asking = handleCall(act, (call) => {
    calls.push(call);
    return ok('seat' in call.inputResponses ? complete({ done: 'yes' }) : requestInput({ seat: form }));
  });
  const connection = await connect(asking, { elicitation: {} });
  const about = { idempotencyKey: 'k-1', correlation: 'c-1' };
  const round = await callTool(connection, act, input, about);
  if (round.kind !== 'input' || round.requestState === undefined) throw new Error(round.kind);
  const inputResponses = { seat: { action: 'accept', content: { seat: '4a' } } };
  const { requestState } = round;
  await callTool(connection, act, input, { ...about, inputResponses, requestState });
  expect(calls).toMatchObject([about, about]);
});

test.each<[string, object]>([
  ['is missing', { content: [] }],
  ['does not fit', { content: [], structuredContent: { done: 7 } }],
])('an output that %s is of another definition', async (_what, result) => {
  const connection = await connectRaw(({ method }) =>
    method === 'tools/call' ? { resultType: 'complete', ...result } : undefined,
  );
  await expect(callTool(connection, act, input)).rejects.toMatchObject({
    type: 'Holdpoint.Tool.Mismatch',
    data: { name: 'act', what: 'output' },
  });
});

test('an input that the definition does not take is not sent', async () => {
  const connection = await connectRaw(() => undefined);
  await expect(callTool(connection, act, { job: 7 } as never)).rejects.toMatchObject({
    type: 'Holdpoint.Tool.Mismatch',
    data: { name: 'act', what: 'input' },
  });
});

test('an error with a structured value keeps it, and blocks come as they are', async () => {
  const look = defineContent('act', z.object({ job: z.string() }));
  const content = [{ type: 'text', text: 'no' }];
  const failing = await connectRaw(({ method }) =>
    method === 'tools/call'
      ? { resultType: 'complete', isError: true, content, structuredContent: { why: 1 } }
      : undefined,
  );
  expect(await callTool(failing, act, input)).toEqual({
    kind: 'error',
    error: { content, structuredContent: { why: 1 } },
  });
  const plain = await connectRaw(({ method }) =>
    method === 'tools/call' ? { resultType: 'complete', content } : undefined,
  );
  expect(await callTool(plain, look, input)).toEqual({ kind: 'complete', output: content, content });
});
