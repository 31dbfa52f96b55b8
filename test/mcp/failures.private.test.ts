import { z } from 'zod';
import { HoldpointError } from '../../src/agent/errors';
import { handle } from '../../src/mcp/bound-tool';
import { define } from '../../src/mcp/definition';
import { ok } from '../../src/mcp/result';
import { createMcpServer } from '../../src/mcp/server/create-mcp-server';
import { connectTo } from './linked';

const PRIVATE = '10.1.2.3:7233';
const failing = (): never => {
  throw new HoldpointError('Holdpoint.Client.Unreachable', `No answer from ${PRIVATE}.`, {
    address: PRIVATE,
  });
};
const greet = handle(define('greet', z.object({}), z.string()), () => ok('Hello'));

test.each([
  ['the context of a call cannot be made', 'greet', {}],
  ['the client of an agent fails', 'desk', { input: 'go' }],
])('where %s, the caller learns nothing of why and the log does', async (_what, name, args) => {
  const told: unknown[] = [];
  const serving = createMcpServer({
    name: 'private',
    version: '1',
    tools: [greet],
    agents: [{ agent: 'desk', description: 'Helps' }],
    client: failing,
    context: failing,
    onError: (error) => told.push(error),
  });
  const connection = await connectTo(serving);
  const outcome = await connection.request(name, args);
  expect(outcome).toEqual({
    kind: 'result',
    result: { content: [{ type: 'text', text: 'Tool execution failed.' }], isError: true },
  });
  expect(told).toMatchObject([{ message: `No answer from ${PRIVATE}.` }]);
});
