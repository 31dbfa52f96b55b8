import { once } from 'node:events';
import type { ToolContext } from '../../src/agent/tool';
import { failedCall } from '../../src/mcp/client/call-failure';
import { connectMcp } from '../../src/mcp/client/connection';
import { mcpTools, type McpToolset, type McpToolsOptions } from '../../src/mcp/run/mcp-tools';
import { answerDone, rawHttpServer, type Answer, type RawHttpServer } from './raw-http-server';

const servers: RawHttpServer[] = [];
const toolsets: McpToolset[] = [];
afterEach(async () => {
  for (const toolset of toolsets.splice(0)) await toolset.close();
  for (const server of servers.splice(0)) await server.close();
});

async function serverOf(answer: Answer = answerDone): Promise<RawHttpServer> {
  const server = await rawHttpServer(answer);
  servers.push(server);
  return server;
}

/** One call of the tool: its result, or what it says of a call without one. */
async function callerOf(options: Partial<McpToolsOptions> & Pick<McpToolsOptions, 'transport'>) {
  const toolset = await mcpTools({ name: 'raw', timeoutMs: 2_000, ...options });
  toolsets.push(toolset);
  const execute = toolset.tools[0]?.execute;
  if (!execute) throw new Error('no tool');
  const ctx: Partial<ToolContext> = {
    signal: new AbortController().signal,
    reportProgress: () => undefined,
    callId: 'c',
  };
  return async () => execute({}, ctx as ToolContext);
}

const SECRET = 'Bearer s3cret\nx: y';

test.each<[string, () => never]>([
  [
    'throws',
    () => {
      throw new Error(`no token for ${SECRET}`);
    },
  ],
  ['gives what is no header', () => ({ authorization: SECRET }) as never],
  ['gives a name that is none', () => ({ [SECRET]: 'x' }) as never],
])(
  'R33: where `credentials` %s nothing was sent, and what is told of it holds no secret',
  async (_what, fail) => {
    let calls = 0;
    let isBroken = false;
    const { url } = await serverOf((...answer) => {
      calls += 1;
      answerDone(...answer);
    });
    const call = await callerOf({
      transport: { type: 'http', url },
      credentials: () => (isBroken ? fail() : { authorization: 'Bearer a' }),
    });
    isBroken = true;
    const failure: unknown = await call().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      type: 'Holdpoint.Tool.NotStarted',
      message: expect.stringContaining('`credentials` gave no headers') as string,
    });
    expect(String(failure)).not.toContain('s3cret');
    expect(calls).toBe(0);
    isBroken = false;
    expect(await call()).toMatchObject({ output: 'done' });
  },
);

test('R33: `credentials` that fail when a stream that was cut is taken up again say nothing of the call, which was sent', async () => {
  let isBroken = false;
  const { url } = await serverOf((_id, response) => {
    isBroken = true;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('id: 1\nretry: 1\ndata: \n\n', () => response.destroy());
  });
  const call = await callerOf({
    transport: { type: 'http', url },
    credentials: () => {
      if (isBroken) throw new Error('no token');
      return {};
    },
  });
  await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.OutcomeUnknown' });
});

/** A server on standard input and output, and what it does when it is called. */
const script = (onCall: string): string => `
    let text = '';
    const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    process.stdin.on('data', (chunk) => {
      text += chunk;
      const lines = text.split('\\n');
      text = lines.pop();
      for (const line of lines) {
        const { id, method } = JSON.parse(line);
        if (method === 'initialize')
          say(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
        else if (method === 'tools/list') say(id, { tools: [{ name: 'act', inputSchema: { type: 'object' } }] });
        else if (method === 'tools/call') { ${onCall}; }
        else if (id !== undefined)
          process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) + '\\n');
      }
    });`;

test('R33: a server that was started and is gone, and cannot be started again, was sent nothing', async () => {
  const stdio = {
    type: 'stdio' as const,
    command: process.execPath,
    args: ['-e', script('process.exit(1)')],
  };
  const call = await callerOf({ transport: stdio });
  // It took the call and died of it.
  await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.OutcomeUnknown' });
  Object.assign(stdio, { command: 'no-such-command-here' });
  await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.NotStarted' });
  Object.assign(stdio, { command: process.execPath });
  await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.OutcomeUnknown' });
});

test('R33: a call that is cancelled before it is sent, or while it is answered, is no failure of the server', async () => {
  const asked = new EventTarget();
  let calls = 0;
  const { url } = await serverOf(() => {
    calls += 1;
    asked.dispatchEvent(new Event('call'));
  });
  const toolset = await mcpTools({ name: 'raw', transport: { type: 'http', url } });
  toolsets.push(toolset);
  const stop = new AbortController();
  const ctx = { signal: stop.signal, reportProgress: () => undefined, callId: 'c' } as Partial<ToolContext>;
  const calling = Promise.resolve(toolset.tools[0]?.execute?.({}, ctx as ToolContext));
  void once(asked, 'call').then(() => stop.abort(new Error('cancelled')));
  const cancelled = { output: 'cancelled', isError: true };
  expect(await calling).toEqual(cancelled);
  expect(await toolset.tools[0]?.execute?.({}, ctx as ToolContext)).toEqual(cancelled);
  expect(calls).toBe(1);
});

test('R33: by a connection that has ended nothing is sent', async () => {
  const { url } = await serverOf();
  const connection = await connectMcp({ transport: { type: 'http', url } });
  await connection.close();
  const failure: unknown = await connection.request('act', {}).catch((error: unknown) => error);
  expect(() => failedCall('raw', 'act', failure)).toThrow(/could not be reached for act/);
});

test('R33: of a server that sends too much by its pipe nobody knows what it did, and the next call begins anew', async () => {
  const much = `say(id, { content: [{ type: 'text', text: 'x'.repeat(10 * 1024 * 1024) }] })`;
  const call = await callerOf({
    transport: { type: 'stdio', command: process.execPath, args: ['-e', script(much)] },
    // The call ends with the process, however long that takes.
    timeoutMs: 60_000,
  });
  for (let times = 0; times < 2; times += 1)
    await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.OutcomeUnknown' });
});

test('R33: what a server writes that is no message is passed over', async () => {
  const noise = `process.stdout.write('Listening!\\n{"a":1}\\n[]\\n'); say(id, { content: [] })`;
  const call = await callerOf({
    transport: { type: 'stdio', command: process.execPath, args: ['-e', script(noise)] },
  });
  expect(await call()).toMatchObject({ isError: false });
});

test('R33: a server that dies is gone at once, though a helper of it keeps its standard error', async () => {
  const helper = `
    const { spawn } = require('node:child_process');
    const stdio = ['ignore', 'ignore', 'inherit'];
    const { pid } = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio, detached: true });
    process.stderr.write('helper ' + pid, () => process.exit(1))`;
  const call = await callerOf({
    transport: { type: 'stdio', command: process.execPath, args: ['-e', script(helper)] },
    timeoutMs: 2_147_483_647,
  });
  for (let times = 0; times < 2; times += 1) {
    const failure: unknown = await call().catch((error: unknown) => error);
    const [, pid] = /ended with:\nhelper (\d+)$/.exec(String(failure)) ?? [];
    process.kill(Number(pid));
    expect(failure).toMatchObject({ type: 'Holdpoint.Tool.OutcomeUnknown' });
  }
});
