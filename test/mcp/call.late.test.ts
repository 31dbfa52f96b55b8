import { once } from 'node:events';
import type { ToolContext } from '../../src/agent/tool';
import { mcpTools, type McpToolset } from '../../src/mcp/run/mcp-tools';
import { answerDone, rawHttpServer, type RawHttpServer } from './raw-http-server';

let server: RawHttpServer;
let toolset: McpToolset;
afterEach(async () => {
  await toolset?.close();
  await server?.close();
});

async function act(signal: AbortSignal): Promise<unknown> {
  const ctx: Partial<ToolContext> = { signal, reportProgress: () => undefined, callId: 'c' };
  return Promise.resolve(toolset.tools[0]?.execute?.({}, ctx as ToolContext)).catch(
    (error: unknown) => error,
  );
}

test('R33: a call that was cancelled while `credentials` were fetched is not sent when they come', async () => {
  let calls = 0;
  server = await rawHttpServer((...answer) => {
    calls += 1;
    answerDone(...answer);
  });
  const asked = new EventTarget();
  let release = (): void => undefined;
  const token = new Promise<void>((resolve) => (release = resolve));
  let isSlow = false;
  toolset = await mcpTools({
    name: 'raw',
    transport: { type: 'http', url: server.url },
    credentials: async () => {
      if (isSlow) {
        isSlow = false;
        asked.dispatchEvent(new Event('asked'));
        await token;
      }
      return {};
    },
  });
  isSlow = true;
  const stop = new AbortController();
  const calling = act(stop.signal);
  await once(asked, 'asked');
  stop.abort(new Error('cancelled'));
  expect(await calling).toEqual({ output: 'cancelled', isError: true });
  release();
  // What was sent later has come by then.
  expect(await act(new AbortController().signal)).toMatchObject({ output: 'done' });
  expect(await act(new AbortController().signal)).toMatchObject({ output: 'done' });
  expect(calls).toBe(2);
});

test('a stream that was cut is taken up again only while somebody waits for its call', async () => {
  let gets = 0;
  server = await rawHttpServer((_id, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('id: 1\nretry: 1\ndata: \n\n');
  });
  const got = new EventTarget();
  server.server.prependListener('request', (request, response) => {
    if (request.method !== 'GET' || request.headers['last-event-id'] === undefined) return;
    gets += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('id: 1\nretry: 1\ndata: \n\n');
    got.dispatchEvent(new Event('get'));
  });
  toolset = await mcpTools({ name: 'raw', transport: { type: 'http', url: server.url } });
  const stop = new AbortController();
  const calling = act(stop.signal);
  await once(got, 'get');
  stop.abort(new Error('cancelled'));
  await calling;
  // One more may have been under way.
  const most = gets + 1;
  for (let times = 0; times < 20; times += 1) await fetch(server.url);
  expect(gets).toBeLessThanOrEqual(most);
});
