import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isRecord } from '../../src/agent/json';
import type { WorkerOptions } from '../../src/worker';
import { testServer } from './test-server';
import { workflowBundle } from './workflow-bundle';

/** Options of a worker that survive JSON, and where its agents come from. */
export interface WorkerProcessOptions extends Pick<
  WorkerOptions,
  'address' | 'namespace' | 'maxCachedWorkflows' | 'retries' | 'shutdownGraceTime' | 'identity'
> {
  /** Absolute path of a module that exports `agents`. Its tools may `tell` the test where they are. */
  readonly agents: string;
  /** Of the scripted model. */
  readonly baseURL: string;
  readonly taskQueue: string;
}

/** What the process gets: plain JSON. */
export interface WorkerProcessSettings extends WorkerProcessOptions {
  readonly workflowBundle: { readonly codePath: string };
}

/** A worker in a process of its own, so that a test can end it as a crash would. */
export interface WorkerProcess {
  readonly pid: number;
  /** Resolves once the worker's code has told this with `tell`; rejects when the process ends before. */
  told(what: string): Promise<void>;
  /** Everything that its code has told, in order. */
  toldSoFar(): string[];
  /** Ends it with SIGKILL: no activity completes, nothing is reported. */
  kill(): Promise<void>;
  /** Asks it to shut down, as a deployment does, and waits until it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a worker process and resolves when it takes work. It ends with the test's process, however that ends.
 *
 * ```ts
 * const worker = await startWorkerProcess({ agents: require.resolve('./agents'), baseURL: model.baseURL, taskQueue });
 * await worker.told('charge began');
 * await worker.kill();
 * ```
 */
export async function startWorkerProcess(options: WorkerProcessOptions): Promise<WorkerProcess> {
  const settings: WorkerProcessSettings = {
    ...testServer(),
    ...options,
    workflowBundle: await workflowBundle(),
  };
  const child = fork(join(__dirname, 'worker-process-main.ts'), [JSON.stringify(settings)], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, HOLDPOINT_WORKER_PROCESS: '1' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? `exit code ${String(code)}`));
  const messages = new Messages(child, ended);
  await messages.have('the worker to be ready', (message) => message['ready'] === true);
  return {
    pid: child.pid ?? 0,
    told: (what) => messages.have(`"${what}"`, (message) => message['told'] === what),
    toldSoFar: () => messages.told(),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Everything that the process has sent, for whoever asks now or later. */
class Messages {
  private readonly received: Record<string, unknown>[] = [];
  private readonly failure: Promise<never>;

  constructor(
    private readonly child: ChildProcess,
    ended: Promise<string>,
  ) {
    child.on('message', (message) => {
      if (isRecord(message)) this.received.push(message);
    });
    this.failure = ended.then((how) => {
      throw new Error(`The worker process ended: ${how}`);
    });
    // Most tests end the process themselves and wait for nothing then.
    this.failure.catch(() => undefined);
  }

  told(): string[] {
    return this.received.flatMap(({ told }) => (typeof told === 'string' ? [told] : []));
  }

  async have(what: string, matches: (message: Record<string, unknown>) => boolean): Promise<void> {
    while (!this.received.some(matches)) {
      await Promise.race([once(this.child, 'message'), this.failure]).catch((error: unknown) => {
        throw new Error(`Waited in vain for ${what}`, { cause: error });
      });
    }
  }
}
