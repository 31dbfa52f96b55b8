import { mcpTools, type McpToolset } from '../../src/mcp/run/mcp-tools';
import { answerDone, done, rawHttpServer, type Answer, type RawHttpServer } from './raw-http-server';

const servers: RawHttpServer[] = [];
const toolsets: McpToolset[] = [];
afterEach(async () => {
  for (const toolset of toolsets.splice(0)) await toolset.close();
  for (const server of servers.splice(0)) await server.close();
});

/** The tool of a server, of which each answer to `tools/call` is the test's. */
async function toolOf(answer: Answer): Promise<() => Promise<unknown>> {
  const server = await rawHttpServer(answer);
  servers.push(server);
  const transport = { type: 'http', url: server.url } as const;
  const toolset = await mcpTools({ name: 'raw', transport, timeoutMs: 2_000 });
  toolsets.push(toolset);
  const execute = toolset.tools[0]?.execute;
  if (!execute) throw new Error('no tool');
  const ctx = { signal: new AbortController().signal, reportProgress: () => undefined, callId: 'c' };
  return async () => execute({}, ctx as never);
}

test('R33: a server that has forgotten the session has done nothing, and the next call begins a new one', async () => {
  const seen: unknown[] = [];
  const call = await toolOf((id, response, { headers }) => {
    seen.push(headers['mcp-session-id']);
    if (seen.length === 1) response.writeHead(404).end('Session not found');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(done(id));
  });
  await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.NotStarted' });
  expect(await call()).toMatchObject({ output: 'done', isError: false });
  expect(seen).toEqual(['s1', 's2']);
});

test('R33: of two calls at once in a session that the server forgets between them each has its own end', async () => {
  const finish: (() => void)[] = [];
  const call = await toolOf((id, response, request) => {
    if (request.headers['mcp-session-id'] === 's1') {
      if (finish.length === 1) response.writeHead(404).end('Session not found');
      finish.push(() => answerDone(id, response, request));
    } else answerDone(id, response, request);
  });
  const ends = [call(), call()].map((end) => end.catch((error: unknown) => error));
  expect(await Promise.race(ends)).toMatchObject({ type: 'Holdpoint.Tool.NotStarted' });
  expect(await call()).toMatchObject({ output: 'done' });
  finish[0]?.();
  expect(await Promise.all(ends)).toContainEqual({ output: 'done', isError: false });
});

test('an event without an end is cut off before it fills the memory', async () => {
  let sent = 0;
  const call = await toolOf((_id, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: ');
    const chunk = 'x'.repeat(1024 * 1024);
    const more = (): void => {
      if (response.destroyed || sent >= 256) return;
      sent += 1;
      response.write(chunk, more);
    };
    more();
  });
  await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.OutcomeUnknown' });
  expect(sent).toBeLessThan(64);
});

test.each(['\n', '\r\n', '\r'])(
  'a long stream of events is none that is too large (lines end in %j)',
  async (end) => {
    const call = await toolOf((id, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const comment = `: ${'x'.repeat(1024 * 1024)}${end}${end}`;
      for (let n = 0; n < 12; n += 1) response.write(comment);
      response.end(`data: ${done(id)}\n\n`);
    });
    expect(await call()).toMatchObject({ output: 'done', isError: false });
  },
);

test('R38: an answer that is too large is a result that says so', async () => {
  const call = await toolOf((id, response) => {
    const text = 'x'.repeat(10 * 1024 * 1024);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }));
  });
  expect(await call()).toMatchObject({
    isError: true,
    output: expect.stringContaining('more than 8388608 bytes') as string,
  });
});

test('a refusal of any length is a refusal', async () => {
  const call = await toolOf((_id, response) => {
    response.writeHead(403).end('x'.repeat(10 * 1024 * 1024));
  });
  expect(await call()).toMatchObject({ isError: true, output: expect.stringContaining('403') as string });
});

test.each<[string, (id: unknown) => string]>([
  ['is no JSON', () => 'done'],
  ['is no message', () => '{"a":1}'],
  ['is of another protocol', (id) => done(id).replace('2.0', '1.0')],
  ['has neither result nor error', (id) => JSON.stringify({ jsonrpc: '2.0', id })],
  ['answers somebody else', () => done('nobody')],
  ['is a list of nothing', () => '[]'],
])('R33: of a server whose answer %s nobody knows what it did', async (_what, body) => {
  const call = await toolOf((id, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body(id));
  });
  await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.OutcomeUnknown' });
});

test('what a failed server says at length is cut', async () => {
  const call = await toolOf((_id, response) => {
    response.writeHead(500).end('x'.repeat(1024 * 1024));
  });
  const failure: unknown = await call().catch((error: unknown) => error);
  expect(failure).toMatchObject({ type: 'Holdpoint.Tool.OutcomeUnknown' });
  expect(String(failure).length).toBeLessThan(1_500);
});

test('R33: a server that takes no connections was sent nothing', async () => {
  const call = await toolOf(answerDone);
  await call();
  for (const server of servers) await server.close();
  // What went by the connection that was there may have arrived.
  await call().catch(() => undefined);
  await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.NotStarted' });
});

test('R33: of a server that takes a call and cuts the connection nobody knows what it did', async () => {
  const call = await toolOf((_id, _response, request) => {
    request.socket.destroy();
  });
  await expect(call()).rejects.toMatchObject({ type: 'Holdpoint.Tool.OutcomeUnknown' });
});
