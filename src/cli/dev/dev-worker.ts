import { resolve } from 'node:path';
import { FileWatch } from './file-watch';
import type { WorkerMessage, WorkerProcessSettings } from './messages';
import { WorkerProcess } from './worker-process';

/** A worker that ended by itself, having worked, is started again: its runs still wait for one. */
const RESTART_MS = 1_000;

export interface DevWorkerEvents {
  readonly onReady: (ready: Extract<WorkerMessage, { is: 'ready' }>, pid: number | undefined) => void;
  /** This version of the file cannot run; the next one is tried when a file changes. */
  readonly onFailed: (message: string) => void;
  readonly onChanged: () => void;
  /** It ended by itself. `restarts`: at once; otherwise when a file changes. */
  readonly onEnded: (how: string, restarts: boolean) => void;
}

/**
 * Keeps a worker process for the file as it is. One at a time: the old one has ended before the new one starts,
 * and changes meanwhile lead to one more.
 */
export class DevWorker {
  private readonly files = new FileWatch(() => {
    this.events.onChanged();
    this.restart();
  });
  private readonly file: string;
  private current: WorkerProcess | undefined;
  /** The current one, or one that it replaces and that has not ended yet. */
  private readonly alive = new Set<WorkerProcess>();
  private turning: Promise<void> | undefined;
  private stale = false;
  private stopped = false;

  /** `stdout` is where the agents' own output goes. */
  constructor(
    private readonly settings: WorkerProcessSettings,
    private readonly stdout: 'inherit' | 'stderr',
    private readonly events: DevWorkerEvents,
  ) {
    this.file = resolve(settings.file);
  }

  start(): void {
    this.files.watch([this.file], { anyCode: false });
    this.spawn();
  }

  /** Lets calls under way finish, also those of a process that is being replaced, and resolves when none is left. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.files.close();
    await Promise.all([...this.alive].map((worker) => worker.stop()));
  }

  kill(): void {
    for (const worker of this.alive) worker.kill();
  }

  private restart(): void {
    this.stale = true;
    this.turning ??= this.turn().finally(() => (this.turning = undefined));
  }

  private async turn(): Promise<void> {
    while (this.stale && !this.stopped) {
      this.stale = false;
      const old = this.current;
      this.current = undefined;
      await old?.stop();
      if (!this.stopped) this.spawn();
    }
  }

  private spawn(): void {
    let modules = [this.file];
    let came: WorkerMessage['is'] = 'modules';
    const worker = new WorkerProcess(this.settings, this.stdout, (message) => {
      // What an older version still says is of no interest.
      if (this.stopped || this.current !== worker) return;
      came = message.is;
      if (message.is === 'modules') modules = [this.file, ...message.paths];
      this.files.watch(modules, { anyCode: message.is === 'failed' });
      if (message.is === 'ready') this.events.onReady(message, worker.pid);
      if (message.is === 'failed') this.events.onFailed(message.message);
    });
    this.current = worker;
    this.alive.add(worker);
    void worker.ended.then((how) => {
      this.alive.delete(worker);
      if (this.stopped || this.current !== worker || came === 'failed') return;
      const wasReady = came === 'ready';
      if (!wasReady) this.files.watch(modules, { anyCode: true });
      this.events.onEnded(how, wasReady);
      if (wasReady) setTimeout(() => this.restart(), RESTART_MS).unref();
    });
  }
}
