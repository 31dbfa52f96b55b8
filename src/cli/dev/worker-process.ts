import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { dieWithParent } from '../../testing/die-with-parent';
import { isWorkerMessage, type WorkerMessage, type WorkerProcessSettings } from './messages';

/** Longer than a worker may take to end by itself: its grace time, and nine seconds for aborted tools. */
const STOP_MS = 15_000;

/** One process of the worker, which lives until the file changes. */
export class WorkerProcess {
  /** Settles, with how it ended, when the process is gone. Never rejects. */
  readonly ended: Promise<string>;
  private readonly child: ChildProcess;
  private stopping: Promise<void> | undefined;

  /** `stdout` is where the agents' own output goes. */
  constructor(
    settings: WorkerProcessSettings,
    stdout: 'inherit' | 'stderr',
    onMessage: (message: WorkerMessage) => void,
  ) {
    this.child = fork(join(__dirname, 'worker-main.js'), [JSON.stringify(settings)], {
      // A process group of its own: Ctrl-C reaches `dev` alone, which lets the worker finish.
      detached: true,
      stdio: ['ignore', stdout === 'stderr' ? 2 : 'inherit', 'inherit', 'ipc'],
    });
    this.child.on('message', (message) => {
      if (isWorkerMessage(message)) onMessage(message);
    });
    // It ends with its channel to us; a tool that never lets go of the thread does not see that.
    const release = this.child.pid === undefined ? (): void => undefined : dieWithParent(this.child.pid);
    this.ended = new Promise((resolve) => {
      this.child.once('error', (error) => resolve(error.message));
      this.child.once('exit', (code, signal) => resolve(signal ?? `exit code ${String(code)}`));
    });
    void this.ended.then(release);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Lets it finish what is under way, and resolves when it is gone. It is told once: a second signal would end it. */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.kill(), STOP_MS);
    await this.ended;
    clearTimeout(timer);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}
