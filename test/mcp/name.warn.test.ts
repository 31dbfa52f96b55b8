import { z } from 'zod';
import { handle } from '../../src/mcp/bound-tool';
import { define } from '../../src/mcp/definition';
import { ok } from '../../src/mcp/result';
import { createMcpServer } from '../../src/mcp/server/create-mcp-server';
import { withInputSchema } from '../../src/mcp/setters';
import { connectTo } from './linked';
import { rawRequest, readReply } from './raw-request';

afterEach(() => jest.restoreAllMocks());

const read = define('files/read', z.object({}), z.string());

test('a name with "/" is warned of once, at the start, and nothing is printed as it is served', async () => {
  const printed = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const told: unknown[] = [];
  const onError = (error: unknown) => told.push(error);
  const tools = [handle(read, () => ok('text'))];
  const serving = createMcpServer({ name: 'files', version: '1', tools, onError });
  const connection = await connectTo(serving);
  expect(await connection.list()).toMatchObject([{ name: 'files/read' }]);
  expect(await connection.request('files/read', {})).toMatchObject({
    result: { structuredContent: 'text' },
  });
  expect(told).toMatchObject([{ message: expect.stringContaining('files/read') as string }]);
  expect(printed).not.toHaveBeenCalled();
});

test('headers that mirror arguments are compared with them', async () => {
  const query = withInputSchema(define('query', z.object({ region: z.string() }), z.string()), {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  });
  const tools = [handle(query, ({ region }) => ok(region))];
  const serving = createMcpServer({ name: 'query', version: '1', tools });
  const params = { name: 'query', arguments: { region: 'eu' } };
  const call = async (region: string) =>
    readReply(await serving.fetch(rawRequest({ params, headers: { 'mcp-param-region': region } })));
  expect(await call('eu')).toMatchObject({ status: 200, message: { result: { structuredContent: 'eu' } } });
  expect(await call('us')).toMatchObject({ status: 400 });
});
