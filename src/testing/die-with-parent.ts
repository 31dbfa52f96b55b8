import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Kills process `pid` when this one ends, in whatever way, and returns a function that calls that off. Exit
 * handlers do not run on a signal without a handler or on SIGKILL, so a shell holds the other end of a pipe:
 * it reads a line when called off, and the end of the pipe when this process is gone.
 */
export function dieWithParent(pid: number): () => void {
  const onExit = (): void => void tryKill(pid);
  process.once('exit', onExit);
  if (process.platform === 'win32') return () => process.off('exit', onExit);

  const watchdog = spawn('/bin/sh', ['-c', 'read -r released || kill -KILL "$0"', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without a shell the exit handler is left; the server itself is not affected.
  watchdog.once('error', () => undefined);
  watchdog.stdin.once('error', () => undefined);
  watchdog.unref();
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref();
  return () => {
    process.off('exit', onExit);
    watchdog.stdin.end('released\n');
  };
}

function tryKill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It ended on its own.
    return false;
  }
}
