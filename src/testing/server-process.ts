import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { HoldpointError } from '../agent/errors';
import { dieWithParent } from './die-with-parent';

const KEPT_LINES = 30;
/** The server closes its database on SIGTERM; one that does not end by then is killed. */
const STOP_MS = 10_000;

/**
 * A server process that never outlives this one. It has its own process group, so that Ctrl-C reaches only
 * the parent, which may have something to finish first, and does not keep the parent alive.
 */
export class ServerProcess {
  /** Settles, with how it ended, when the process is gone. Never rejects. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcess;
  readonly #output: string[] = [];

  constructor(executable: string, args: readonly string[]) {
    const child = spawn(executable, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.#output.push(line);
        if (this.#output.length > KEPT_LINES) this.#output.shift();
      });
    }
    const release = child.pid === undefined ? (): void => undefined : dieWithParent(child.pid);
    this.exited = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, signal) => resolve(signal ?? `exit code ${String(code)}`));
    });
    void this.exited.then(release);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The last lines that the server printed. */
  get output(): string {
    return this.#output.join('\n');
  }

  /** Rejects when the process ends; for races against something that needs it alive. */
  async failure(): Promise<never> {
    const how = await this.exited;
    throw new HoldpointError(
      'Holdpoint.Server.Failed',
      `The Temporal server ended while it was starting (${how}). It printed:\n${this.output || '(nothing)'}`,
    );
  }

  /** Lets this process end although the server still runs; the server then ends with it. */
  unref(): void {
    this.#child.unref();
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream instanceof Socket) stream.unref();
    }
  }

  /** Asks the server to end, and kills it when it has not after `graceMs`. */
  async stop(graceMs = STOP_MS): Promise<void> {
    this.#child.ref();
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), graceMs);
    await this.exited;
    clearTimeout(timer);
  }

  /** Ends the server as a crash would. */
  async kill(): Promise<void> {
    this.#child.ref();
    this.#child.kill('SIGKILL');
    await this.exited;
  }
}
