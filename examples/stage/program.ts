import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** A program of an example, in a process of its own. */
export class Program {
  /** Resolves when it has ended well. */
  readonly done: Promise<void>;
  /** Rejects when it has not, and never resolves. */
  readonly failure: Promise<never>;
  readonly #child: ChildProcess;
  #stopped = false;

  constructor(folder: string, file: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = fork(join(folder, file), args, {
      execArgv: [...process.execArgv, '--require', require.resolve('./end-with-stage.js')],
      env: { HOLDPOINT_LOG_LEVEL: 'error', ...process.env, ...env },
    });
    this.done = new Promise((resolve, reject) => {
      this.#child.once('exit', (code, signal) => {
        if (code === 0 || this.#stopped) resolve();
        else reject(new Error(`${file} ended with ${signal ?? `exit code ${String(code)}`}.`));
      });
    });
    this.failure = this.done.then(() => new Promise<never>(() => undefined));
    // Whoever runs something beside it hears of it; at the end nobody has to.
    this.failure.catch(() => undefined);
  }

  /** SIGTERM: a worker ends what it has. Resolves when the program is gone. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGTERM');
    await this.done.catch(() => undefined);
  }
}
