import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { commandEnvironment, program } from './command';
import { newMcpProject } from './mcp-project';

const project = newMcpProject();
afterAll(() => project.remove());

test('standard output has the protocol alone, and what a tool prints is on standard error', async () => {
  const child = spawn(process.execPath, [program(), 'mcp', 'tools.ts'], {
    cwd: project.folder,
    env: commandEnvironment(),
  });
  const ended = once(child, 'exit');
  const printed = text(child.stderr);
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'raw', version: '1' };
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  const ids: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const { id } = JSON.parse(line) as { readonly id?: number };
    ids.push(id);
    if (id === 1) {
      send({ method: 'notifications/initialized' });
      send({ id: 2, method: 'tools/call', params: { name: 'greet', arguments: { name: 'Ada' } } });
    }
    if (id === 2) child.kill('SIGTERM');
  }
  expect(ids).toEqual([1, 2]);
  expect((await ended)[0]).toBe(0);
  expect(await printed).toBe('greets Ada\n');
});
