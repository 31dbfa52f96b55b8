import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A worker in a process of its own. */
export interface WorkerProcess {
  readonly pid: number;
  /** SIGKILL: no handler runs, nothing is handed over. */
  kill(): Promise<void>;
  /** SIGTERM: it takes no more work, ends what it has, and exits. */
  stop(): Promise<void>;
}

/** Where the worker takes its work. */
export interface WorkerQueue {
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
}

/** Resolves once the worker takes work. Throws when it ends before; it has then printed why. */
export async function startWorkerProcess(
  { address, namespace, taskQueue }: WorkerQueue,
  bundlePath: string,
  modelEnv: Readonly<Record<string, string>>,
): Promise<WorkerProcess> {
  const child = fork(join(__dirname, 'worker.ts'), [address, namespace, taskQueue, bundlePath], {
    env: { HOLDPOINT_LOG_LEVEL: 'error', ...process.env, ...modelEnv },
    // A process group of its own: Ctrl-C reaches the demo alone, which then stops its worker.
    detached: true,
  });
  const exited = once(child, 'exit');
  await Promise.race([
    once(child, 'message'),
    exited.then(([code, signal]) => {
      throw new Error(`The worker ended before it was ready (${String(signal ?? `exit code ${code}`)}).`);
    }),
  ]);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  return { pid: child.pid ?? 0, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}
