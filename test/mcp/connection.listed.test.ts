import { z } from 'zod';
import { handle, type BoundTool } from '../../src/mcp/bound-tool';
import { connectMcp } from '../../src/mcp/client/connection';
import { define } from '../../src/mcp/definition';
import { createMcpServer } from '../../src/mcp/server/create-mcp-server';
import { ok } from '../../src/mcp/result';
import { form, askingTool } from './asking-tool';
import { connectTo, directTransport } from './linked';

const serving = (...tools: BoundTool<never>[]) =>
  createMcpServer<never>({ name: 'listed', version: '1', tools });

test('a tool that was listed with an output schema asks like any other', async () => {
  const { tool } = askingTool([{ seat: form }]);
  const connection = await connectTo(serving(tool), {
    capabilities: { elicitation: { form: {} } },
  });
  expect((await connection.list())[0]?.outputSchema).toBeDefined();
  const round = await connection.request('book', {});
  if (round.kind !== 'input' || round.requestState === undefined) throw new Error(JSON.stringify(round));
  const seat = { action: 'accept', content: { seat: '4a' } };
  const { requestState } = round;
  expect(await connection.request('book', {}, { requestState, inputResponses: { seat } })).toMatchObject({
    kind: 'result',
    result: { structuredContent: { seat } },
  });
});

test.each([
  ['does not fit', { structuredContent: 'seven' }, /does not fit its output schema/],
  ['is missing', {}, /no structured content/],
])('a structured result that %s is no result', async (_, replaced, problem) => {
  const count = handle(define('count', z.object({}), z.object({ n: z.number() })), () => ok({ n: 7 }));
  const server = serving(count);
  const tampered = directTransport({
    async fetch(request) {
      const isCall = (await request.clone().text()).includes('"tools/call"');
      const response = await server.fetch(request);
      if (!isCall) return response;
      const told = (await response.text()).replace(/"structuredContent":\{[^}]*\},?/, () =>
        'structuredContent' in replaced
          ? `"structuredContent":${JSON.stringify(replaced.structuredContent)},`
          : '',
      );
      const { status, headers } = response;
      return new Response(told.replaceAll(',}', '}'), { status, headers });
    },
  });
  const connection = await connectMcp({ transport: tampered });
  await connection.list();
  await expect(connection.request('count', {})).rejects.toThrow(problem);
});
