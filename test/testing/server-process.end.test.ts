import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ServerProcess } from '../../src/testing/server-process';
import { until } from '../support/until';

// Bundles and processes start slowly on a busy machine.
jest.setTimeout(180_000);

const IGNORES_SIGTERM =
  'process.on("SIGTERM", () => undefined); console.log("up"); setInterval(() => undefined, 60_000)';

interface Family {
  readonly parent: ChildProcess;
  readonly serverPid: number;
}

async function startFamily(how: 'stay' | 'exit'): Promise<Family> {
  const file = join(__dirname, 'process-parent.ts');
  const parent = spawn(process.execPath, ['--import', 'tsx', file, how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
  return { parent, serverPid: Number(pid.toString()) };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

// SIGKILL leaves a process no moment to end its children itself.
test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a server ends with its parent on %s',
  async (signal) => {
    const { parent, serverPid } = await startFamily('stay');
    expect(isAlive(serverPid)).toBe(true);
    parent.kill(signal);
    await until('the server is gone', () => !isAlive(serverPid));
  },
);

test('a server that nobody stopped does not keep its parent, and ends with it', async () => {
  const { parent, serverPid } = await startFamily('exit');
  await once(parent, 'exit');
  await until('the server is gone', () => !isAlive(serverPid));
});

test('stop ends a server that ignores SIGTERM too', async () => {
  const server = new ServerProcess(process.execPath, ['-e', IGNORES_SIGTERM]);
  await until('the server is up', () => server.output.includes('up'));
  await server.stop(100);
  expect(await server.exited).toBe('SIGKILL');
});

test('an executable that cannot start is an error that says so', async () => {
  const server = new ServerProcess('/nowhere/temporal', []);
  await expect(server.failure()).rejects.toMatchObject({
    type: 'Holdpoint.Server.Failed',
    message: expect.stringContaining('ENOENT') as string,
  });
});
