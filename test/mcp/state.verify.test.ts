import { z } from 'zod';
import { handleCall } from '../../src/mcp/bound-tool';
import { callTool } from '../../src/mcp/client/call-tool';
import { define } from '../../src/mcp/definition';
import { complete, requestInput } from '../../src/mcp/reply';
import { ok } from '../../src/mcp/result';
import { createMcpServer, type McpServing } from '../../src/mcp/server/create-mcp-server';
import type { McpServerOptions } from '../../src/mcp/server/options';
import { elicit, greet } from './greeting';
import { connectTo } from './linked';

const asking = handleCall(greet, ({ inputResponses }) =>
  ok(inputResponses['which'] ? complete('done') : requestInput({ which: elicit })),
);
const inputResponses = { which: { action: 'accept', content: { which: 'a' } } };
const options: Omit<McpServerOptions, 'name' | 'version'> = {
  tools: [
    asking,
    handleCall(define('other', z.object({ name: z.string() }), z.string()), () => ok(complete('other'))),
  ],
  auth: async (headers) => ({ id: headers.get('authorization') ?? '' }),
};
const as = (name: string, serving: McpServing) =>
  connectTo(serving, { capabilities: { elicitation: {} }, credentials: () => ({ authorization: name }) });

async function asked(serving: McpServing): Promise<string> {
  const round = await callTool(await as('ana', serving), greet, 'Ada');
  if (round.kind !== 'input' || round.requestState === undefined) throw new Error('no round');
  return round.requestState;
}

test.each<[string, (state: string) => string]>([
  ['forged', () => 'eyJhbGciOiJub25lIn0.e30.'],
  ['changed', (state) => `${state.slice(0, -2)}xx`],
  ['longer', (state) => `${state}a`],
  ['empty', () => ''],
])('a state that is %s is refused', async (_how, change) => {
  const serving = createMcpServer({ name: 'test', version: '1', ...options });
  const requestState = change(await asked(serving));
  await expect(
    callTool(await as('ana', serving), greet, 'Ada', { inputResponses, requestState }),
  ).rejects.toMatchObject({ code: -32602 });
});

test('a state of somebody else, of other arguments, of another tool, of another process or past its time is refused', async () => {
  const serving = createMcpServer({ name: 'test', version: '1', ...options });
  const requestState = await asked(serving);
  const round = { inputResponses, requestState };
  const refused = { code: -32602 };
  await expect(callTool(await as('bob', serving), greet, 'Ada', round)).rejects.toMatchObject(refused);
  const ana = await as('ana', serving);
  await expect(callTool(ana, greet, 'Bob', round)).rejects.toMatchObject(refused);
  await expect(ana.request('other', { name: 'Ada' }, round)).rejects.toMatchObject(refused);
  const elsewhere = createMcpServer({ name: 'test', version: '1', ...options });
  await expect(callTool(await as('ana', elsewhere), greet, 'Ada', round)).rejects.toMatchObject(refused);
  const brief = createMcpServer({ name: 'test', version: '1', ...options, stateTtlSeconds: -1 });
  await expect(
    callTool(await as('ana', brief), greet, 'Ada', { inputResponses, requestState: await asked(brief) }),
  ).rejects.toMatchObject(refused);
  expect(await callTool(ana, greet, 'Ada', round)).toMatchObject({ kind: 'complete', output: 'done' });
});

test('a state of a server of another name is refused, though the same keys sign', async () => {
  const stateKeys = () => [{ id: 'a', secret: new Uint8Array(32).fill(7), verifyOnly: false }];
  const requestState = await asked(createMcpServer({ name: 'test', version: '1', ...options, stateKeys }));
  const other = createMcpServer({ name: 'other', version: '1', ...options, stateKeys });
  await expect(
    callTool(await as('ana', other), greet, 'Ada', { inputResponses, requestState }),
  ).rejects.toMatchObject({ code: -32602 });
});

test('an expression in a form that would take for ever on what comes does not hold up the server', async () => {
  const slow = {
    method: 'elicitation',
    params: {
      message: 'Which?',
      requestedSchema: { type: 'object', properties: { which: { type: 'string', pattern: '^(a+)+$' } } },
    },
  } as const;
  const tool = handleCall(greet, ({ inputResponses: { which } }) =>
    ok(which ? complete('done') : requestInput({ which: slow })),
  );
  const serving = createMcpServer({ name: 'test', version: '1', ...options, tools: [tool] });
  const which = `${'a'.repeat(60)}!`;
  const round = {
    inputResponses: { which: { action: 'accept', content: { which } } },
    requestState: await asked(serving),
  };
  expect(await callTool(await as('ana', serving), greet, 'Ada', round)).toMatchObject({ kind: 'complete' });
});

test('a state goes on in another process that has the same keys', async () => {
  const secret = new Uint8Array(32).fill(7);
  const shared = { ...options, stateKeys: () => [{ id: 'a', secret, verifyOnly: false }] };
  const requestState = await asked(createMcpServer({ name: 'test', version: '1', ...shared }));
  const elsewhere = createMcpServer({ name: 'test', version: '1', ...shared });
  expect(
    await callTool(await as('ana', elsewhere), greet, 'Ada', { inputResponses, requestState }),
  ).toMatchObject({ kind: 'complete' });
});
