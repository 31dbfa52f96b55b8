import { defineAgent } from '../../src/tools';
import { mcpTools, type McpToolset } from '../../src/mcp/run/mcp-tools';
import { openDesk, type Desk } from '../client/desk';
import { answerDone, rawHttpServer, type RawHttpServer } from './raw-http-server';

let server: RawHttpServer;
let toolset: McpToolset;
let desk: Desk;
afterEach(async () => {
  await desk?.close();
  await toolset?.close();
  await server?.close();
});

/** A run whose tool's first call goes wrong, and how often the server was called. */
async function run(lost: 'before' | 'after', readOnly: boolean) {
  let calls = 0;
  let isBroken = false;
  server = await rawHttpServer(
    (id, response, request) => {
      calls += 1;
      if (lost === 'after' && calls === 1) request.socket.destroy();
      else answerDone(id, response, request);
    },
    { annotations: { readOnlyHint: readOnly } },
  );
  toolset = await mcpTools({
    name: 'raw',
    transport: { type: 'http', url: server.url },
    trustAnnotations: true,
    credentials: () => {
      if (!isBroken) return {};
      isBroken = false;
      throw new Error('no token at this moment');
    },
  });
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools: toolset.tools })]);
  isBroken = lost === 'before';
  const turn = { toolCalls: [{ id: 'c', name: 'raw__act', arguments: {} }] };
  const { status, toolCalls } = await desk.client.run('desk', desk.play([turn, { content: 'Done.' }]));
  return { status, calls, call: toolCalls[0] };
}

test.each([true, false])(
  'R33: in a run a call that was not sent is tried again and runs once (read-only: %s)',
  async (readOnly) => {
    expect(await run('before', readOnly)).toMatchObject({
      status: 'done',
      calls: 1,
      call: { output: 'done', isError: false },
    });
  },
);

test('R33: in a run a read-only call whose connection was cut is repeated', async () => {
  expect(await run('after', true)).toMatchObject({ calls: 2, call: { output: 'done', isError: false } });
});

test('R33: in a run any other call whose connection was cut is reported, and not repeated', async () => {
  expect(await run('after', false)).toMatchObject({
    status: 'done',
    calls: 1,
    call: { isError: true, output: expect.stringContaining('unknown') as string },
  });
});
