import { z } from 'zod';
import type { Json } from '../../src/agent/json';
import { handle, handleCall, type BoundTool } from '../../src/mcp/bound-tool';
import type { Call } from '../../src/mcp/call';
import { callTool, listTools } from '../../src/mcp/client/call-tool';
import { declaration } from '../../src/mcp/declaration';
import { define, defineContent } from '../../src/mcp/definition';
import { textContent } from '../../src/mcp/content';
import { complete, requestInput } from '../../src/mcp/reply';
import { failed, ok } from '../../src/mcp/result';
import { createMcpServer, type McpServing } from '../../src/mcp/server/create-mcp-server';
import {
  withDescription,
  withIcons,
  withMeta,
  withReadOnlyHint,
  withRequiredClientCapabilities,
  withTitle,
} from '../../src/mcp/setters';
import { elicit, greet as plainGreet } from './greeting';
import { connectTo } from './linked';

const greet = withReadOnlyHint(withDescription(plainGreet, 'Greets the user by name'), true);
const greeting = handle(greet, (name) => ok(`Hello, ${name}!`));
const serve = (...tools: BoundTool[]): McpServing => createMcpServer({ name: 'test', version: '1', tools });

test('a string goes in and a string comes out', async () => {
  const connection = await connectTo(serve(greeting));
  expect(await callTool(connection, greet, 'Ada')).toEqual({
    kind: 'complete',
    output: 'Hello, Ada!',
    content: [textContent('Hello, Ada!')],
  });
  expect(connection.server).toEqual({ name: 'test', version: '1' });
});

test.each([
  ['a number', z.number(), 3],
  ['a list', z.array(z.string()), ['a']],
  ['nothing', z.null(), null],
  [
    'a date',
    z.codec(z.iso.datetime(), z.date(), { decode: (t) => new Date(t), encode: (d) => d.toISOString() }),
    new Date(0),
  ],
])('%s comes out as it is', async (_what, schema, value) => {
  const definition = define('give', z.object({}), schema as z.ZodType);
  const connection = await connectTo(serve(handle(definition, () => ok(value))));
  expect(await callTool(connection, definition, {})).toMatchObject({ kind: 'complete', output: value });
});

test('a tool of content blocks gives its blocks', async () => {
  const look = defineContent('look', z.object({}));
  const blocks = [textContent('seen'), { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const];
  const connection = await connectTo(serve(handle(look, () => ok(blocks))));
  expect(await callTool(connection, look, {})).toEqual({ kind: 'complete', output: blocks, content: blocks });
});

test('what is listed is what is declared, in order', async () => {
  const other = withMeta(
    withIcons(withTitle(define('other', z.object({ a: z.int() }), z.object({ b: z.boolean() })), 'Other'), [
      { src: 'https://example.com/a.png' },
    ]),
    { 'example.com/x': 1 },
  );
  const connection = await connectTo(
    serve(
      handle(other, () => ok({ b: true })),
      greeting,
    ),
  );
  expect(await listTools(connection)).toEqual([declaration(other), declaration(greet)]);
});

test('an error comes back as a ToolError', async () => {
  const connection = await connectTo(serve(handle(greet, () => failed('private'))));
  expect(await callTool(connection, greet, 'Ada')).toEqual({
    kind: 'error',
    error: { content: [textContent('Tool execution failed.')] },
  });
});

test('a round of input comes back to be answered, and the state goes there byte for byte', async () => {
  const rounds: Call['inputResponses'][] = [];
  const asking = handleCall(greet, ({ inputResponses }, name) => {
    rounds.push(inputResponses);
    return ok(
      inputResponses['which']
        ? complete(`${name}: ${JSON.stringify(inputResponses)}`)
        : requestInput({ which: elicit }),
    );
  });
  const connection = await connectTo(serve(asking), { capabilities: { elicitation: {} } });
  const round = await callTool(connection, greet, 'Ada');
  if (round.kind !== 'input') throw new Error(`got ${round.kind}`);
  expect(round.requests).toEqual({ which: elicit });
  const accepted = { which: { action: 'accept', content: { which: 'this' } } };
  const done = await callTool(connection, greet, 'Ada', {
    inputResponses: { ...accepted, unasked: { action: 'decline' } },
    ...(round.requestState !== undefined && { requestState: round.requestState }),
  });
  expect(done).toMatchObject({ kind: 'complete', output: `Ada: ${JSON.stringify(accepted)}` });
  expect(rounds).toEqual([{}, accepted]);
});

test.each<[string, Record<string, Json>, string]>([
  ['that is missing', {}, 'No answer has come'],
  ['that does not fit', { which: { action: 'accept', content: { which: 7 } } }, 'does not fit'],
  ['without an action', { which: { content: { which: 'a' } } }, 'no `action`'],
])('a response %s is asked for again, and the handler does not run', async (_what, inputResponses, why) => {
  let runs = 0;
  const asking = handleCall(greet, () => {
    runs += 1;
    return ok(requestInput({ which: elicit }));
  });
  const connection = await connectTo(serve(asking), { capabilities: { elicitation: {} } });
  const first = await callTool(connection, greet, 'Ada');
  if (first.kind !== 'input' || first.requestState === undefined) throw new Error('no round');
  const again = await callTool(connection, greet, 'Ada', {
    inputResponses,
    requestState: first.requestState,
  });
  const message = expect.stringMatching(RegExp(`${why}.*\n\nWhich\\?$`)) as string;
  expect(again).toMatchObject({ requests: { which: { ...elicit, params: { ...elicit.params, message } } } });
  expect(runs).toBe(1);
});

test.each(['decline', 'cancel'])('that a person did %s reaches the handler', async (action) => {
  const asking = handleCall(greet, ({ inputResponses }) =>
    ok(
      inputResponses['which']
        ? complete(JSON.stringify(inputResponses['which']))
        : requestInput({ which: elicit }),
    ),
  );
  const connection = await connectTo(serve(asking), { capabilities: { elicitation: {} } });
  const first = await callTool(connection, greet, 'Ada');
  if (first.kind !== 'input' || first.requestState === undefined) throw new Error('no round');
  expect(
    await callTool(connection, greet, 'Ada', {
      inputResponses: { which: { action } },
      requestState: first.requestState,
    }),
  ).toMatchObject({ kind: 'complete', output: JSON.stringify({ action }) });
});

test('a handler that goes on asking is ended after ten rounds', async () => {
  const asking = handleCall(greet, () => ok(requestInput({ which: elicit })));
  const connection = await connectTo(serve(asking), { capabilities: { elicitation: {} } });
  const inputResponses = { which: { action: 'decline' } };
  let outcome = await callTool(connection, greet, 'Ada');
  let rounds = 0;
  while (outcome.kind === 'input') {
    rounds += 1;
    const { requestState = '' } = outcome;
    outcome = await callTool(connection, greet, 'Ada', { inputResponses, requestState });
  }
  expect(rounds).toBe(10);
  expect(outcome).toMatchObject({ kind: 'error' });
});

test.each([[true], [[]], ['yes'], [null]])('a capability declared as %j is none', async (elicitation) => {
  const needs = handle(withRequiredClientCapabilities(greet, ['elicitation', 'roots']), () => ok('ran'));
  const serving = serve(needs);
  const reply = await serving.fetch(
    rawCall(
      'greet',
      { name: 'a' },
      { 'io.modelcontextprotocol/clientCapabilities': { elicitation, roots: {} } },
    ),
  );
  expect(reply.status).toBe(400);
  expect(JSON.stringify(await reply.json())).toMatch(/-32021|-32602/);
});

test('a client without the capabilities that a tool needs is told only those it lacks', async () => {
  let ran = false;
  const needs = handle(withRequiredClientCapabilities(greet, ['elicitation', 'roots']), () => {
    ran = true;
    return ok('');
  });
  const connection = await connectTo(serve(needs), { capabilities: { roots: {} } });
  await expect(callTool(connection, greet, 'Ada')).rejects.toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { elicitation: {} } },
  });
  expect(ran).toBe(false);
});

test('a client that can answer nothing of a round is told what it lacks', async () => {
  const asking = handleCall(greet, () => ok(requestInput({ which: elicit })));
  await expect(callTool(await connectTo(serve(asking)), greet, 'Ada')).rejects.toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { elicitation: {} } },
  });
});

test('the handler learns who calls, with which key and correlation', async () => {
  const calls: Call[] = [];
  const seeing = handleCall(greet, (call) => {
    calls.push(call);
    return ok(complete(''));
  });
  const connection = await connectTo(serve(seeing), { clientInfo: { name: 'me', version: '3' } });
  await callTool(connection, greet, 'Ada', { idempotencyKey: 'k-1', correlation: 'c-1' });
  await callTool(connection, greet, 'Ada');
  expect(calls[0]).toMatchObject({
    idempotencyKey: 'k-1',
    correlation: 'c-1',
    clientInfo: { name: 'me', version: '3' },
    inputResponses: {},
  });
  expect(calls[1]?.idempotencyKey).toBeUndefined();
  expect(calls[1]?.correlation).toMatch(/^[\x21-\x7e]{1,128}$/);
  expect(calls[0]?.requestId).not.toEqual(calls[1]?.requestId);
});

test.each([['7'], [7]])('the request id %j reaches the handler as it was sent', async (id) => {
  const ids: unknown[] = [];
  const seeing = handleCall(greet, ({ requestId }) => {
    ids.push(requestId);
    return ok(complete(''));
  });
  await (await serve(seeing).fetch(rawCall('greet', { name: 'a' }, {}, id))).json();
  expect(ids).toEqual([id]);
});

test('progress reaches a client that asks for it', async () => {
  const working = handleCall(greet, ({ reportProgress }) => {
    reportProgress(1, 2, 'half');
    reportProgress(2, 2);
    return ok(complete(''));
  });
  const seen: unknown[] = [];
  await callTool(await connectTo(serve(working)), greet, 'Ada', {
    onProgress: (report) => seen.push(report),
  });
  expect(seen).toEqual([
    { progress: 1, total: 2, message: 'half' },
    { progress: 2, total: 2 },
  ]);
});

test('a cancelled call aborts its handler', async () => {
  const aborted = new Promise<void>((resolve) => {
    const waiting = handleCall(greet, ({ signal }) => {
      signal.addEventListener('abort', () => resolve());
      client.abort();
      return new Promise<never>(() => undefined);
    });
    const client = new AbortController();
    const serving = createMcpServer({ name: 'test', version: '1', tools: [waiting], graceMs: 1 });
    void connectTo(serving).then((connection) =>
      callTool(connection, greet, 'Ada', { signal: client.signal }).catch(() => undefined),
    );
  });
  await aborted;
});

test('a tool of another definition is told apart from one that fails', async () => {
  const other = define('greet', z.object({ name: z.string() }), z.number());
  const connection = await connectTo(serve(greeting));
  await expect(callTool(connection, other, { name: 'a' })).rejects.toMatchObject({
    type: 'Holdpoint.Tool.Mismatch',
  });
});

test('an unknown tool is refused, and so is an invalid key', async () => {
  const connection = await connectTo(serve(greeting));
  const invalid = callTool(connection, greet, 'Ada', { idempotencyKey: 'a b' });
  await expect(invalid).rejects.toMatchObject({ code: -32602 });
  await expect(connection.request('nothing', {})).rejects.toMatchObject({ code: -32602 });
});

test('two tools of one name are refused', () =>
  expect(() => serve(greeting, greeting)).toThrow(/Two tools are called greet/));

test.each([
  ['another host', { host: 'evil.example' }, 403],
  ['a page of another host', { host: 'localhost', origin: 'https://evil.example' }, 403],
  ['a page of no origin', { host: 'localhost', origin: 'null' }, 403],
])('a request for %s is refused', async (_what, headers, status) => {
  const reply = await serve(greeting).fetch(rawCall('greet', { name: 'a' }, {}, 1, headers));
  expect(reply.status).toBe(status);
});

test('without a credential nothing is served where one is asked for', async () => {
  const serving = createMcpServer({
    name: 'test',
    version: '1',
    tools: [greeting],
    auth: async () => undefined,
  });
  const reply = await serving.fetch(rawCall('greet', { name: 'a' }));
  expect(reply.status).toBe(401);
  expect(reply.headers.get('www-authenticate')).toContain('Bearer');
});

function rawCall(
  name: string,
  args: object,
  meta: object = {},
  id: string | number = 1,
  headers: Record<string, string> = { host: 'localhost' },
): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          ...meta,
        },
      },
    }),
  });
}
