import { Client } from '@modelcontextprotocol/client';
import { approve } from '../../src/agent/decisions';
import { isRecord } from '../../src/agent/json';
import type { McpPrincipal } from '../../src/mcp/server/options';
import type { McpServing } from '../../src/mcp/server/create-mcp-server';
import type { Desk } from '../client/desk';
import { eliciting, newKey, refunded, serveDesk, useRefundDesk } from './agent-desk';
import { connectTo, directTransport } from './linked';

const openedDesk = useRefundDesk();
let desk: Desk;
beforeAll(() => {
  desk = openedDesk();
});

function serve(principal?: McpPrincipal): McpServing {
  return serveDesk(desk, principal && { auth: async () => principal });
}
const refunding = (): string =>
  desk.play([
    { toolCalls: [{ id: 'c', name: 'refund', arguments: { order: 7 } }] },
    { content: 'Refunded.' },
  ]);

interface Told {
  readonly message: string;
  readonly runId: string;
  readonly requestId: string;
}

/** What a caller learns of a run that waits where nobody can be asked. */
function toldIn(result: unknown): Told {
  const { isError, structuredContent, _meta } = isRecord(result) ? result : {};
  const { error, message, runId, requests } = isRecord(structuredContent) ? structuredContent : {};
  expect({ isError, error, meta: _meta }).toMatchObject({
    isError: true,
    error: 'awaiting_input',
    meta: { 'dev.holdpoint/run-id': runId },
  });
  const [request] = requests as [{ id: string }];
  return { message: String(message), runId: String(runId), requestId: request.id };
}

async function waiting(serving: McpServing, idempotencyKey?: string): Promise<Told> {
  const connection = await connectTo(serving);
  const options = idempotencyKey === undefined ? {} : { idempotencyKey };
  const outcome = await connection.request('desk', { input: refunding() }, options);
  await connection.close();
  return toldIn(outcome.kind === 'result' ? outcome.result : outcome);
}

test('without a key a run that waits is kept for whoever answers it, and its caller learns how to read it', async () => {
  const { message, runId, requestId } = await waiting(serve());
  expect(message).toContain(`holdpoint show ${runId}`);
  expect(message).toContain('dev.holdpoint/idempotency-key');
  await desk.client.answer(runId, approve(requestId));
  expect(await desk.client.result(runId)).toMatchObject({ status: 'done', text: 'Refunded.' });
  expect(refunded).toEqual([7]);
});

test('with a key its caller learns that the key leads back', async () => {
  const { message } = await waiting(serve(), newKey());
  expect(message).toMatch(/call again with the same idempotency key/);
  expect(message).not.toContain('another run');
});

test('a caller who may not answer learns that this is why', async () => {
  const serving = serve({ id: 'starter', mayAnswer: false });
  const connection = await connectTo(serving, eliciting);
  const outcome = await connection.request('desk', { input: refunding() });
  const { message } = toldIn(outcome.kind === 'result' ? outcome.result : outcome);
  expect(message).toContain('may not answer');
});

async function clientOf(mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client(
    { name: 'c', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
  );
  await client.connect(directTransport(serve())());
  expect(client.getProtocolEra()).toBe(mode === 'legacy' ? 'legacy' : 'modern');
  return client;
}

test.each(['legacy', 'auto'] as const)('the result names its run (%s)', async (mode) => {
  const client = await clientOf(mode);
  const input = desk.play([{ content: 'Hello.' }]);
  const result = await client.callTool({ name: 'desk', arguments: { input } });
  const named = { 'dev.holdpoint/run-id': expect.stringMatching(/^mcp-/) as string };
  expect(result).toMatchObject({ content: [{ text: 'Hello.', _meta: named }], _meta: named });
});

test('over HTTP a client of an earlier revision learns that nobody can be asked at it', async () => {
  const client = await clientOf('legacy');
  const result = await client.callTool({ name: 'desk', arguments: { input: refunding() } });
  expect(toldIn(result).message).toMatch(/before 2026-07-28.*over HTTP/);
});
