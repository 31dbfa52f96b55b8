import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectMcp } from '../../src/mcp/client/connection';
import { npmPackage } from '../support/npm-package';

const server = [process.execPath, '--import', 'tsx', join(__dirname, 'greeting-server.ts')] as const;
/** What the inspector of the MCP project prints. Its second edition needs a later Node. */
async function inspect(...args: string[]): Promise<unknown> {
  const inspector = join(
    await npmPackage('@modelcontextprotocol/inspector', '1.0.3'),
    'cli',
    'build',
    'cli.js',
  );
  const { stdout } = await promisify(execFile)(process.execPath, [inspector, '--cli', ...server, ...args]);
  return JSON.parse(stdout);
}

test('the inspector lists our tools', async () => {
  expect(await inspect('--method', 'tools/list')).toMatchObject({
    tools: [
      {
        name: 'greet',
        description: 'Greets the user by name',
        inputSchema: { type: 'object', required: ['name'] },
        annotations: { readOnlyHint: true },
      },
    ],
  });
}, 300_000);

test('the inspector calls our tools', async () => {
  const called = await inspect('--method', 'tools/call', '--tool-name', 'greet', '--tool-arg', 'name=Ada');
  expect(called).toMatchObject({ content: [{ type: 'text', text: 'Hello, Ada!' }] });
}, 60_000);

test('our own client calls them over the same pipes', async () => {
  const [command, ...args] = server;
  const connection = await connectMcp({ transport: { type: 'stdio', command, args } });
  expect(await connection.request('greet', { name: 'Ada' })).toMatchObject({
    result: { structuredContent: 'Hello, Ada!' },
  });
  await connection.close();
}, 60_000);
