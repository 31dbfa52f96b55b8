import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HoldpointError } from '../../src/agent/errors';
import { connectMcp } from '../../src/mcp/client/connection';
import type { McpTransport } from '../../src/mcp/client/transport';
import { mcpTools } from '../../src/mcp/run/mcp-tools';
import { rawServer } from './raw-server';

const program = (file: string) => [process.execPath, '--import', 'tsx', join(__dirname, file)] as const;

/** A server that runs this code and ends. */
function ending(code: string, stderr?: 'ignore'): McpTransport {
  const args = ['-e', `${code}; process.exit(1)`];
  return { type: 'stdio', command: process.execPath, args, ...(stderr && { stderr }) };
}

async function failureOf(made: Promise<unknown>): Promise<HoldpointError> {
  const error = await made.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HoldpointError)) throw new Error(`Expected a failure, got ${String(error)}`);
  return error;
}

test('a server that does not start is told with its own last words', async () => {
  const transport = ending("console.error('starting'); console.error('No \\x1b[31mdatabase')");
  const { type, message, data } = await failureOf(mcpTools({ name: 'files', transport }));
  expect({ type, data }).toEqual({ type: 'Holdpoint.Tool.ServerUnreachable', data: { server: 'files' } });
  expect(message).toMatch(/^The MCP server files cannot be reached: /);
  expect(message).toContain('ended with:\nstarting\nNo \\e[31mdatabase');
});

test('of much it wrote the end is told', async () => {
  const transport = ending("process.stderr.write('first ' + 'ü'.repeat(50_000) + ' last')");
  const { message } = await failureOf(connectMcp({ transport }));
  expect(message).toMatch(/ended with:\nü+ last$/);
  expect(Buffer.byteLength(message)).toBeLessThan(2_500);
});

test('what is not kept is not told', async () => {
  const transport = ending("console.error('No database here')", 'ignore');
  const { message } = await failureOf(connectMcp({ transport }));
  expect(message).not.toContain('database');
});

test('what is inherited goes to the standard error of this process alone', async () => {
  const [node, ...args] = program('inheriting-client.ts');
  const { stdout, stderr } = await promisify(execFile)(node, args);
  expect(stderr).toContain('No database here');
  expect(stdout).toContain('cannot be reached');
  expect(stdout).not.toContain('database');
});

test('a server that dies in the middle of a call is told with its last words', async () => {
  const [command, ...args] = program('dying-server.ts');
  const toolset = await mcpTools({ name: 'dying', transport: { type: 'stdio', command, args } });
  const result = await toolset.tools[0]?.call?.({});
  expect(result).toMatchObject({
    isError: true,
    output: expect.stringMatching(/was lost during die: .*\n.*The disk is full$/) as string,
  });
  await toolset.close();
});

test.each<[string, () => McpTransport, RegExp]>([
  ['is not there', () => ({ type: 'stdio', command: 'no-such-command-here' }), /ENOENT/],
  ['has no address', () => ({ type: 'http', url: 'nowhere' }), /Invalid URL/],
  [
    'wants what the client does not declare',
    () =>
      rawServer(({ id, method }, { send }) => {
        if (method !== 'initialize') return undefined;
        send({ id, error: { code: -32021, message: 'Declare elicitation' } });
        return 'handled';
      }),
    /Declare elicitation \(-32021\)/,
  ],
])('a server that %s is unreachable for a typed client', async (_what, transportOf, reason) => {
  const { type, message } = await failureOf(connectMcp({ transport: transportOf() }));
  expect(type).toBe('Holdpoint.Tool.ServerUnreachable');
  expect(message).toMatch(reason);
});
